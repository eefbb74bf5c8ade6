package io.dynims.controller.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.dynims.core.wire.Topics;
import io.dynims.operator.Role;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Elects the replica that pushes, with a lease that Kafka holds; for controllers without
 * Kubernetes. The leader writes its name to the topic {@code dynims.leader} every second. A standby
 * that has read no renewal for three seconds takes over.
 *
 * <p>Renewals are transactions of one transactional id. A replica that takes over initializes that
 * id, after which Kafka refuses the transactions of every earlier producer, so only one replica at
 * a time can renew. As with a Lease of Kubernetes, a leader that cannot reach Kafka continues as an
 * unconfirmed leader until it learns of another holder.
 */
public final class KafkaLease implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(KafkaLease.class);
  private static final long RENEW_NANOS = SECONDS.toNanos(1);
  private static final long LEASE_NANOS = SECONDS.toNanos(3);
  private static final int REQUEST_TIMEOUT_MILLIS = 1_500;
  private static final int WRITE_TIMEOUT_MILLIS = 2_000;
  private static final int TRANSACTION_TIMEOUT_MILLIS = 10_000;
  private static final long RETRY_MILLIS = 500;

  private final KafkaSettings settings;
  private final String name;
  private final String identity;
  private final Thread thread = new Thread(this::run, "leadership");
  private Consumer<Role> onChange;
  private volatile boolean closed;
  private volatile TopicReader reader;

  /** Null unless this replica may renew. */
  private KafkaProducer<String, byte[]> producer;

  private Role role = Role.Standby;

  /** Whether the last attempt to renew or to take the lease has failed; logged once. */
  private boolean failing;

  private long renewedNanos;

  /** When another replica's renewal was last read. */
  private long heardNanos;

  /**
   * A lease that this replica does not hold yet.
   *
   * @param name the same for all replicas that share the lease; also the transactional id
   * @param identity this replica's name, different from that of every other replica
   */
  public KafkaLease(KafkaSettings settings, String name, String identity) {
    this.settings = settings;
    this.name = name;
    this.identity = identity;
  }

  /** Takes part in elections from now on, as a standby; reports each change on its own thread. */
  public void start(Consumer<Role> listener) {
    onChange = listener;
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        takePart();
      }
      release();
    } catch (InterruptedException | InterruptException e) {
      LOG.debug("not taking part in elections any more: shutting down");
    } finally {
      dropProducer();
    }
  }

  /** Takes part until it is closed or Kafka fails. */
  private void takePart() throws InterruptedException {
    try (TopicReader renewals = SharedLog.open(settings, Topics.LEADER)) {
      reader = renewals;
      heardNanos = System.nanoTime();
      while (!closed) {
        read(renewals);
        act(System.nanoTime());
      }
    } catch (WakeupException e) {
      LOG.debug("reading interrupted: shutting down");
    } catch (RuntimeException | ExecutionException e) {
      // Of any kind: if this thread ended, a leader would lead for ever.
      lost(e);
      Thread.sleep(RETRY_MILLIS);
    }
  }

  private void read(TopicReader renewals) {
    for (var renewal : renewals.poll()) {
      if (!name.equals(renewal.key())) {
        continue;
      }
      if (renewal.value() == null) {
        heardNanos = System.nanoTime() - LEASE_NANOS; // Released: nobody need wait.
      } else if (!identity.equals(new String(renewal.value(), UTF_8))) {
        heardNanos = System.nanoTime();
        failing = false;
        if (producer == null) {
          changeRole(Role.Standby, new String(renewal.value(), UTF_8) + " holds the lease");
        }
      }
    }
  }

  private void act(long nowNanos) {
    boolean holds = producer != null;
    if (holds ? nowNanos - renewedNanos < RENEW_NANOS : nowNanos - heardNanos < LEASE_NANOS) {
      return;
    }
    try {
      if (!holds) {
        producer = fenceOthers();
      }
      write(identity.getBytes(UTF_8));
      renewedNanos = nowNanos;
      failing = false;
      changeRole(Role.Leader, "holds the lease " + name);
    } catch (RuntimeException e) {
      lost(e);
    }
  }

  /** A producer whose predecessors can write no more. */
  private KafkaProducer<String, byte[]> fenceOthers() {
    var opened =
        new KafkaProducer<>(
            settings.with(
                Map.of(
                    "transactional.id",
                    name,
                    "transaction.timeout.ms",
                    TRANSACTION_TIMEOUT_MILLIS,
                    "max.block.ms",
                    WRITE_TIMEOUT_MILLIS,
                    "request.timeout.ms",
                    REQUEST_TIMEOUT_MILLIS,
                    "delivery.timeout.ms",
                    WRITE_TIMEOUT_MILLIS,
                    "linger.ms",
                    0)),
            new StringSerializer(),
            new ByteArraySerializer());
    try {
      opened.initTransactions();
      return opened;
    } catch (KafkaException e) {
      opened.close(Duration.ZERO);
      throw e;
    }
  }

  private void write(byte[] value) {
    producer.beginTransaction();
    var unusedFuture = producer.send(new ProducerRecord<>(Topics.LEADER, name, value));
    producer.commitTransaction(); // Fails if the send does.
  }

  /** What becomes of a replica that could not renew: the next attempt is a lease away. */
  private void lost(Exception cause) {
    dropProducer();
    heardNanos = System.nanoTime();
    if (isFenced(cause)) {
      changeRole(Role.Standby, "another replica has taken the lease");
    } else if (role == Role.Leader) {
      changeRole(
          Role.UnconfirmedLeader,
          "could not renew the lease, continues until another replica holds it: "
              + cause.getMessage());
    } else if (!failing) {
      LOG.warn("{} cannot take the lease {}, keeps trying: {}", identity, name, cause.toString());
    }
    failing = true;
  }

  private static boolean isFenced(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ProducerFencedException
          || each instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  private void changeRole(Role next, String reason) {
    if (role != next) {
      LOG.info("{} is {}: {}", identity, next, reason);
      role = next;
      onChange.accept(next);
    }
  }

  /** Lets a standby take over at once; from then on this replica pushes no more. */
  private void release() {
    if (producer != null) {
      changeRole(Role.Standby, "shutting down");
      try {
        write(null);
      } catch (KafkaException e) {
        LOG.debug("cannot release the lease, it expires", e);
      }
    }
  }

  private void dropProducer() {
    if (producer != null) {
      producer.close(Duration.ZERO);
      producer = null;
    }
  }

  /** Releases the lease, so that a standby need not wait until it expires. */
  @Override
  public void close() {
    closed = true;
    TopicReader.stop(thread, reader, 2L * WRITE_TIMEOUT_MILLIS);
  }
}
