package io.dynims.experiments.paper;

/** The workloads of figure 5, by the names that the Spark jobs have for them. */
public enum DataJob {
  KMeans("K-means"),
  LogisticRegression("logistic regression"),
  LinearRegression("linear regression"),
  Svm("SVM");

  private final String title;

  DataJob(String title) {
    this.title = title;
  }

  /** Its name in text. */
  public String title() {
    return title;
  }
}
