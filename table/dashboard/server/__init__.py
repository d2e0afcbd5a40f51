"""Runs the application in threads of this process, by HTTP or TLS."""

from table.dashboard.server.page_server import TlsFiles, serve, tls_context

__all__ = ["TlsFiles", "serve", "tls_context"]
