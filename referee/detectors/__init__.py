"""Paths to incidents: what physically happened, when, where and how surely. They know no rules."""
