"""Surveys a table: camera pose, course as laid, and table edge."""
