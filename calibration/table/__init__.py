"""The survey of a table: camera pose, course as laid, and the table edge."""
