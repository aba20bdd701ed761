# The server of the HTTP API: `apportion serve`. The guide's chapter "Running it" says how it is configured.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY .ci/notices.ts .ci/pages.ts .ci/
COPY tsconfig.json tsconfig.build.json tsup.config.ts ./
COPY src src
RUN npm run build
# The folder in which everything is kept belongs to whoever the server runs as.
RUN mkdir /data

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production \
    APPORTION_HOST=0.0.0.0 \
    APPORTION_PORT=8080 \
    APPORTION_DATA=/data \
    APPORTION_LOG_FORMAT=json
COPY --from=build /build/package.json ./
COPY --from=build /build/dist/cli dist/cli
COPY --from=build /build/dist/web dist/web
COPY --from=build /build/node_modules/@electric-sql/pglite node_modules/@electric-sql/pglite
COPY --from=build --chown=1000:1000 /data /data
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
# /health says that the process answers; /ready, which asks the storage too, is for what sends requests.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.APPORTION_PORT || 8080}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve"]
