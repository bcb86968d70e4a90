/** The methods that an API token can be restricted to, grouped by family and sorted by access class. */
import { ACCESS } from '../../access/policy/permissions.ts';
import type { Role } from '../../access/identity/roles.ts';
import { catalogueFor } from './catalogue.ts';
import { kdfCatalogueFor } from './kdf/catalogue.ts';

interface PickedMethod {
	/** Name on the wire. */
	name: string;
	/** Description of the access class. */
	access: string;
	summary: string;
}

interface PickedGroup {
	id: string;
	title: string;
	methods: PickedMethod[];
}

/** Keeps one entry per name: methods of a trading node in two envelopes share theirs. */
const byName = (methods: readonly PickedMethod[]): PickedMethod[] => [
	...new Map(methods.toReversed().map((method) => [method.name, method])).values()
];

/** @param withNodes whether a trading node is configured */
export function pickedMethods(role: Role, withNodes: boolean): PickedGroup[] {
	const daemons = catalogueFor(role).map(({ id, title, methods }) => ({
		id,
		title,
		methods: methods
			.toSorted((a, b) => ACCESS.indexOf(a.access) - ACCESS.indexOf(b.access))
			.map(({ name, words, summary }) => ({ name, access: words, summary }))
	}));
	if (!withNodes) return daemons;
	const nodes = kdfCatalogueFor(role).map(({ id, title, methods }) => ({
		id,
		title,
		methods: byName(
			methods.map(({ name, words, summary }) => ({ name, access: words, summary }))
		).toSorted((a, b) => a.access.localeCompare(b.access, 'en'))
	}));
	return [...daemons, ...nodes];
}
