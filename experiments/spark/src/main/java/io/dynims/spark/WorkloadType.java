package io.dynims.spark;

/** The workloads of the paper's figure 5. */
enum WorkloadType {
  KMeans,
  LogisticRegression,
  LinearRegression,
  Svm;

  Workload workload() {
    return switch (this) {
      case KMeans -> new KMeans();
      case LogisticRegression -> new GradientDescent(GradientDescent.Objective.Logistic);
      case LinearRegression -> new GradientDescent(GradientDescent.Objective.Linear);
      case Svm -> new GradientDescent(GradientDescent.Objective.Svm);
    };
  }
}
