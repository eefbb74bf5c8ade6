package io.dynims.controller.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ReducedStateItemStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The resources of one kind, reduced to what counts and kept up to date by a watch. While the API
 * server is away its last word stands.
 *
 * @param <T> the resource
 * @param <V> what counts about it
 */
final class Watched<T extends HasMetadata, V> implements ResourceEventHandler<T>, AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Watched.class);

  private final Map<String, V> values = new ConcurrentHashMap<>();
  private final String plural;
  private final SharedIndexInformer<T> informer;
  private final Function<T, V> reader;
  private final Runnable onChange;
  private volatile String failure = "were not listed yet";

  /**
   * Starts to watch.
   *
   * @param reader what counts about a resource; null where nothing does
   * @param onChange called on any thread when a value came, changed or went
   */
  Watched(
      KubernetesClient client,
      Class<T> type,
      String plural,
      SharedIndexInformer<T> informer,
      Function<T, V> reader,
      Runnable onChange) {
    this.plural = plural;
    this.informer = informer;
    this.reader = reader;
    this.onChange = onChange;
    informer.itemStore(
        new ReducedStateItemStore<>(
            ReducedStateItemStore.NAME_KEY_STATE, type, client.getKubernetesSerialization()));
    informer.exceptionHandler(this::failed);
    informer.addEventHandler(this);
    var unusedFuture = informer.start().thenRun(this::listed);
  }

  private boolean failed(boolean started, Throwable cause) {
    LOG.warn("{} cannot be watched, trying again: {}", plural, cause.getMessage());
    if (!started) {
      failure = "cannot be listed: " + cause.getMessage();
    }
    return true;
  }

  private void listed() {
    failure = "";
    onChange.run();
  }

  Collection<V> values() {
    return List.copyOf(values.values());
  }

  /** Why nothing is known; empty once the resources were listed. */
  String failure() {
    return failure.isEmpty() ? "" : plural + " " + failure;
  }

  @Override
  public void onAdd(T resource) {
    put(resource);
  }

  @Override
  public void onUpdate(T before, T resource) {
    put(resource);
  }

  @Override
  public void onDelete(T resource, boolean lastStateUnknown) {
    if (values.remove(key(resource)) != null) {
      onChange.run();
    }
  }

  private void put(T resource) {
    V value = reader.apply(resource);
    V before = value == null ? values.remove(key(resource)) : values.put(key(resource), value);
    if (value == null ? before != null : !value.equals(before)) {
      onChange.run();
    }
  }

  private static String key(HasMetadata resource) {
    return resource.getMetadata().getNamespace() + "/" + resource.getMetadata().getName();
  }

  @Override
  public void close() {
    informer.close();
  }
}
