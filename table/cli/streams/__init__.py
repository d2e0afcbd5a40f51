"""What commands read and write: files, standard streams, progress and colour on terminals."""
