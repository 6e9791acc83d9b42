import { Cluster, type ClusterNode, type ClusterOptions } from 'ioredis';

/**
 * A client of a cluster whose connect() settles. In ioredis 5 it stays open for ever when the cluster is found and has a slot without a
 * master: the client tries again by itself and becomes ready, and who waits (a worker of BullMQ after a failover) is never told.
 */
export class SettlingCluster extends Cluster {
  constructor(
    private readonly nodesGiven: ClusterNode[],
    options: ClusterOptions,
  ) {
    super(nodesGiven, options);
  }

  override connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settled = () => this.off('ready', ready).off('end', ended);
      const ready = () => {
        settled();
        resolve();
      };
      const ended = () => failed(new Error('The client of the cluster was closed.'));
      const failed = (error: unknown) => {
        settled();
        reject(error as Error);
      };
      this.on('ready', ready).on('end', ended);
      super.connect().then(ready, failed);
    });
  }

  override duplicate(nodes: ClusterNode[] = [], options: ClusterOptions = {}): SettlingCluster {
    return new SettlingCluster(nodes.length > 0 ? nodes : [...this.nodesGiven], { ...this.options, ...options });
  }
}
