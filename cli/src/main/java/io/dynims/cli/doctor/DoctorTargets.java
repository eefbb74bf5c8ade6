package io.dynims.cli.doctor;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * What to examine; whatever is empty is not.
 *
 * @param node the node's name in policies
 * @param adapter the base address of the node's Tier API
 * @param tokenFile the token that the adapter asks for
 * @param controller the base address of the controller's REST API
 * @param controllerTokenFile the token that the controller asks for
 * @param tls whom to trust where an address is https; empty to trust the JVM's authorities
 * @param bootstrap the brokers, as {@code bootstrap.servers} has them
 * @param kafkaProperties what a client of the brokers needs besides
 * @param kafkaRole the role whose credentials these are, as in acls.csv
 * @param tierDirectory the folder of the tier's data
 * @param worker the base address of the Alluxio worker's web port
 * @param master the base address of the Alluxio master's web port
 * @param stateDirectory the folder of what the programs keep on the disk
 */
public record DoctorTargets(
    Optional<String> node,
    Optional<URI> adapter,
    Optional<Path> tokenFile,
    Optional<URI> controller,
    Optional<Path> controllerTokenFile,
    Optional<SSLContext> tls,
    Optional<String> bootstrap,
    Map<String, Object> kafkaProperties,
    Optional<String> kafkaRole,
    Optional<Path> tierDirectory,
    Optional<URI> worker,
    Optional<URI> master,
    Optional<Path> stateDirectory) {}
