"""Work bench (run from a checkout): makes rendered throws and clips."""
