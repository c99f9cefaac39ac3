"""Surveys a table: the camera's pose, the course as it was laid, and the table's edge."""
