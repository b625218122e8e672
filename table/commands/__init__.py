"""One module a subcommand, each with `configure(parser)` and `run(args)`."""
