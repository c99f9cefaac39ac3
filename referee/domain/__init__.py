"""The nouns: frozen values that everybody may use. No input or output, no pixels, no arrays."""
