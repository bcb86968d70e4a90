/** The methods that an API token can be limited to, in groups: by family, within it by access class. */
import { ACCESS } from '../../access/policy/permissions.ts';
import type { Role } from '../../access/policy/roles.ts';
import { catalogueFor } from './catalogue.ts';
import { kdfCatalogueFor } from './kdf/catalogue.ts';

interface PickedMethod {
	/** Name on the wire. */
	name: string;
	/** What its access class means. */
	access: string;
	summary: string;
}

interface PickedGroup {
	id: string;
	title: string;
	methods: PickedMethod[];
}

/** One entry for each name: two envelopes of a trading node share theirs. */
const byName = (methods: readonly PickedMethod[]): PickedMethod[] => [
	...new Map(methods.toReversed().map((method) => [method.name, method])).values()
];

/** @param withNodes whether there is a trading node */
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
