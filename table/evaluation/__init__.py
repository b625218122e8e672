"""Measures the judge on labelled pictures: read the labels, grade each verdict, sum up per folder."""
