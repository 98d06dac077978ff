# docs/deploy.md says how to build and run it. The version of Node is the one that the tests run with.
# A tag can be moved: docs/deploy.md says how to build from an image by its digest.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The versions are the lock file's. No package runs a program of its own while it is installed; none of them needs to.
RUN npm install --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap ca-certificates git tini \
    && rm -rf /var/lib/apt/lists/*
# A fixed number: files of the host that it may read are given to it by that.
RUN groupadd --gid 10001 flotilla \
    && useradd --uid 10001 --gid 10001 --create-home --shell /usr/sbin/nologin flotilla \
    && install -d -o flotilla -g flotilla -m 700 /data /etc/flotilla
# All of it belongs to root: the program cannot change itself.
WORKDIR /opt/flotilla
COPY --from=build /build/node_modules ./node_modules
COPY package.json LICENSE app.yml config.example.yaml ./
COPY config ./config
COPY src/flotilla.js ./src/flotilla.js
COPY --from=build /build/dist ./dist
RUN ln -s /opt/flotilla/src/flotilla.js /usr/local/bin/flotilla
# Runtimes that the image has: any of "codex gemini opencode qwen". The licence of claude lets nobody pass it on in an image:
# `flotilla runtimes add claude` installs it in the container.
ARG RUNTIMES=
RUN for name in ${RUNTIMES}; do \
      case "$name" in codex|gemini|opencode|qwen) ;; *) echo "RUNTIMES: $name cannot be in an image" >&2; exit 1 ;; esac; \
      FLOTILLA_DATA_DIR=/opt/flotilla flotilla runtimes add "$name" || exit 1; \
    done; \
    if [ -d runtimes ]; then chmod -R go+rX runtimes; fi

USER 10001:10001
WORKDIR /etc/flotilla
ENV HOST=0.0.0.0 PORT=3000 FLOTILLA_DATA_DIR=/data FLOTILLA_CONFIG=/etc/flotilla/config.yaml
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# tini takes the processes whose parents are gone, and hands signals on.
ENTRYPOINT ["/usr/bin/tini", "--", "flotilla"]
CMD ["serve"]
