import type { KyselyPlugin, QueryId, RootOperationNode } from 'kysely';

/** Records each query, so that a test can request its plan. */
export class QueryRecorder implements KyselyPlugin {
	readonly queries: { node: RootOperationNode; queryId: QueryId }[] = [];
	transformQuery({ node, queryId }: { node: RootOperationNode; queryId: QueryId }) {
		this.queries.push({ node, queryId });
		return node;
	}
	transformResult<T>({ result }: { result: T }): Promise<T> {
		return Promise.resolve(result);
	}
}
