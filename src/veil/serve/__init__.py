"""The service: Veil over HTTP. FastAPI and uvicorn come with the extra `serve`."""
