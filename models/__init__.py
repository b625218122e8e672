"""Work bench (run from a checkout): training and export of the trained reader."""
