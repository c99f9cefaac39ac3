"""The referee: from pixels to calls. Each subpackage is one stage of the road; `session` is the only module that knows them all."""
