# The page, built once; then one image for web and worker. No Docker engine was at hand when this was written:
# every command in it is one that the tests run (tests/architecture/test_the_scaled_form.py).
FROM node:20-bookworm-slim AS page
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

FROM python:3.11-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
COPY requirements/run.lock requirements/run.lock
RUN pip install --no-cache-dir --require-hashes -r requirements/run.lock
COPY manage.py pyproject.toml ./
COPY interpreter/ interpreter/
COPY designer/ designer/
COPY templates/ templates/
COPY --from=page /src/designer/pages/static/app/ designer/pages/static/app/
RUN useradd --system --create-home callchart && mkdir -p /app/var && chown callchart /app/var
USER callchart
EXPOSE 8000
CMD ["uvicorn", "designer.config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--ws", "websockets-sansio", "--lifespan", "off", "--no-server-header"]
