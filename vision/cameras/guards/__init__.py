"""Guards against cameras that hang, or deliver one picture over and over."""
