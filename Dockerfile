# All images of DynIMS; `docker compose build` makes them, and `docker build --target NAME .` one. Needs BuildKit.

# The one base image. Raise the date for its security fixes; Debian's packages below are the current ones of its release.
ARG BASE=debian:bookworm-20260824-slim
ARG VERSION=0.1.0-SNAPSHOT

FROM ${BASE} AS build
RUN apt-get update \
 && mkdir -p /usr/share/man/man1 \
 && apt-get install -y --no-install-recommends maven openjdk-17-jdk-headless \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    ./mvnw -B -q -DskipTests -Dspotless.check.skip=true package --also-make --projects \
    controller,alluxio-adapter,flink-job,experiments,experiments/parts/kafka,experiments/parts/alluxio
RUN docker/collect /src /out

# What is common to all that runs: nothing is setuid, and one account.
FROM ${BASE} AS runtime
ARG VERSION
RUN find / -xdev -type f -perm /6000 -exec chmod a-s {} + \
 && groupadd --gid 65532 dynims \
 && useradd --uid 65532 --gid 65532 --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin dynims
COPY --chmod=0644 LICENSE /usr/share/doc/dynims/
LABEL org.opencontainers.image.vendor="DynIMS" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"

FROM runtime AS java
RUN apt-get update \
 && mkdir -p /usr/share/man/man1 \
 && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
COPY --chmod=0755 docker/healthcheck /usr/local/bin/
USER 65532:65532

FROM java AS dynims-controller
LABEL org.opencontainers.image.title="dynims-controller" \
      org.opencontainers.image.description="Follows MemoryTiers, pushes capacities, serves REST and the page"
COPY --from=build /out/controller/lib /opt/dynims/controller/lib
COPY --from=build /out/controller/own /opt/dynims/controller
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["healthcheck", "8080", "/readyz"]
ENTRYPOINT ["java", "-jar", "/opt/dynims/controller/dynims-controller.jar"]

FROM java AS dynims-alluxio-adapter
LABEL org.opencontainers.image.title="dynims-alluxio-adapter" \
      org.opencontainers.image.description="Makes the tier of a stock Alluxio worker elastic"
COPY --from=build --chown=65532:65532 /out/state /var/lib/dynims
COPY --from=build /out/alluxio-adapter/lib /opt/dynims/alluxio-adapter/lib
COPY --from=build /out/alluxio-adapter/own /opt/dynims/alluxio-adapter
EXPOSE 7070
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["healthcheck", "7070"]
ENTRYPOINT ["java", "-jar", "/opt/dynims/alluxio-adapter/dynims-alluxio-adapter.jar"]

FROM java AS dynims-flink-job
LABEL org.opencontainers.image.title="dynims-flink-job" \
      org.opencontainers.image.description="Decides the tiers' capacities: Flink's runtime and the job"
COPY --from=build /out/flink-job/lib /opt/dynims/flink-job/lib
COPY --from=build /out/flink-job/own /opt/dynims/flink-job
# In a process of its own; the port is on loopback and for the check.
ENV DYNIMS_FLINK_REST_PORT=8081
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["healthcheck", "8081", "/jobs/overview", "\"state\":\"RUNNING\""]
ENTRYPOINT ["java", "-cp", "/opt/dynims/flink-job/dynims-flink-job.jar:/opt/dynims/flink-job/lib/*", "io.dynims.flink.DynimsJob"]

FROM java AS dynims-kafka
LABEL org.opencontainers.image.title="dynims-kafka" \
      org.opencontainers.image.description="A single Kafka broker to try DynIMS with"
COPY --from=build --chown=65532:65532 /out/state /var/lib/kafka
COPY --from=build /out/kafka/lib /opt/dynims/kafka/lib
COPY --chmod=0644 docker/kafka.properties /etc/kafka/server.properties
COPY --chmod=0644 docker/log4j2.properties /etc/kafka/
COPY --chmod=0755 docker/run-kafka /usr/local/bin/
EXPOSE 9092
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["healthcheck", "9092"]
ENTRYPOINT ["run-kafka"]

FROM java AS dynims-alluxio
LABEL org.opencontainers.image.title="dynims-alluxio" \
      org.opencontainers.image.description="A stock Alluxio master or worker to try DynIMS with, and the demo's load"
COPY --from=build --chown=65532:65532 /out/state /var/lib/alluxio/journal
COPY --from=build --chown=65532:65532 /out/state /var/lib/alluxio/ufs
COPY --from=build /out/alluxio/lib /opt/dynims/alluxio/lib
COPY --from=build /out/alluxio/own /opt/dynims/alluxio
COPY --chmod=0644 docker/alluxio-site.properties docker/log4j2.properties /etc/alluxio/
COPY --chmod=0755 docker/run-alluxio /usr/local/bin/
EXPOSE 19998 19999 29999 30000
# Of a master or of a worker.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD healthcheck 19999 /api/v1/master/info || healthcheck 30000 /api/v1/worker/info
ENTRYPOINT ["run-alluxio"]

FROM runtime AS dynims-agent
LABEL org.opencontainers.image.title="dynims-agent" \
      org.opencontainers.image.description="Samples a node's memory and sends it to Kafka: collectd with the reader"
COPY --chmod=0755 agents/list-packages /usr/share/dynims/agents/
RUN apt-get update \
 && packages=$(/usr/share/dynims/agents/list-packages) \
 && apt-get install -y --no-install-recommends $packages \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
COPY --chmod=0755 agents /usr/share/dynims/agents
RUN /usr/share/dynims/agents/check-collectd
COPY --chmod=0755 docker/limit-node /usr/local/bin/
USER 65532:65532
# collectd listens nowhere: what it has is a connection to a broker.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["grep", "-qE", "^ +[0-9]+: [^ ]+ [^ ]+ 01 ", "/proc/net/tcp", "/proc/net/tcp6"]
ENTRYPOINT ["/usr/share/dynims/agents/run-collectd"]
