"""What a page is sent of a match, topic by topic, and in which parts."""
