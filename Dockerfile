# The portal's image: the locked packages, the code, the static files. Runs as a user without rights, on a
# read-only file system; what is kept lies in /var/lib/portal. The base is named by its exact version; name it
# by its digest as well, with --build-arg BASE=python:3.11.13-slim-bookworm@sha256:… as your registry shows it.
ARG BASE=python:3.11.13-slim-bookworm

FROM ${BASE} AS packages
WORKDIR /build
COPY requirements.txt .
RUN python -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --no-deps --require-hashes --only-binary :all: -r requirements.txt

FROM ${BASE}
RUN groupadd --gid 10001 portal \
 && useradd --uid 10001 --gid portal --home-dir /var/lib/portal --no-create-home --shell /usr/sbin/nologin portal \
 && install -d -o portal -g portal -m 0700 /var/lib/portal
COPY --from=packages /opt/venv /opt/venv
WORKDIR /opt/portal
COPY manage.py pyproject.toml requirements.txt LICENSE ./
COPY deploy/check.py deploy/check.py
COPY verifier verifier
COPY regulations regulations
COPY players players
COPY tournaments tournaments
COPY ratinglists ratinglists
COPY accounts accounts
COPY ratingsite ratingsite
COPY static static
COPY templates templates
COPY locale locale
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=ratingsite.settings \
    PORTAL_STATIC_ROOT=/opt/static
# Demo mode only to collect the files: the secret it makes stays in /tmp of this layer's build.
RUN PORTAL_DEMO=1 PORTAL_VAR=/tmp/build python manage.py collectstatic --noinput --verbosity 0 \
 && rm -r /tmp/build \
 && python -m compileall -q /opt/portal
ENV PORTAL_VAR=/var/lib/portal
USER 10001:10001
VOLUME /var/lib/portal
EXPOSE 8000
CMD ["gunicorn", "ratingsite.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", \
     "--no-control-socket", "--graceful-timeout", "5", "--worker-tmp-dir", "/tmp"]
