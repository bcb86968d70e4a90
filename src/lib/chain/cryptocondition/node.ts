/** The tree of a crypto-condition: its nodes, their cost, and the types below them. */

type TypeId = 0 | 2 | 4 | 5 | 15;
const TYPE = { preimage: 0, threshold: 2, ed25519: 4, secp256k1: 5, eval: 15 } as const;

/** A node of a condition tree. A signing node without a signature cannot be fulfilled. */
export type ConditionNode =
	| { type: 'preimage'; preimage: Uint8Array }
	| { type: 'eval'; code: Uint8Array }
	| { type: 'secp256k1'; pubkey: Uint8Array; signature?: Uint8Array }
	| { type: 'ed25519'; pubkey: Uint8Array; signature?: Uint8Array }
	| { type: 'threshold'; threshold: number; children: ConditionNode[] }
	/** A branch of which only the fingerprint is known. */
	| {
			type: 'closed';
			encoded: Uint8Array;
			id: TypeId;
			cost: number;
			subtypes: ReadonlySet<number>;
	  };

/** Returns the number of a node's type in its encoding. */
export function idOf(node: ConditionNode): TypeId {
	return node.type === 'closed' ? node.id : TYPE[node.type];
}

/** Returns the cost that the encoding of a condition contains. */
export function costOf(node: ConditionNode): number {
	switch (node.type) {
		case 'closed':
			return node.cost;
		case 'preimage':
			return node.preimage.length;
		case 'eval':
			return 1_048_576;
		case 'secp256k1':
		case 'ed25519':
			return 131_072;
		case 'threshold': {
			const costs = node.children.map(costOf).sort((a, b) => b - a);
			const dearest = costs.slice(0, node.threshold).reduce((sum, cost) => sum + cost, 0);
			return dearest + 1024 * node.children.length;
		}
	}
}

/** Returns the types below a compound node, without its own type. */
export function subtypesOf(node: ConditionNode): Set<number> {
	const types = new Set<number>();
	if (node.type === 'closed') return new Set(node.subtypes);
	if (node.type !== 'threshold') return types;
	for (const child of node.children) {
		types.add(idOf(child));
		for (const type of subtypesOf(child)) types.add(type);
	}
	types.delete(TYPE.threshold);
	return types;
}

/** Visits a node and all nodes below it. */
export function walk(node: ConditionNode, visit: (node: ConditionNode) => void): void {
	visit(node);
	if (node.type === 'threshold') for (const child of node.children) walk(child, visit);
}
