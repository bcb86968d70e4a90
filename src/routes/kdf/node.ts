import { kdfList } from '#lib/messages/pages/kdf.ts';
import { error } from '@sveltejs/kit';
import type { Identity } from '#lib/server/access/identity/identity.ts';
import { mayAccess } from '#lib/server/access/policy/permissions.ts';
import type { Activations } from '#lib/server/kdf/activations.ts';
import type { FailureWords } from './failureWords.ts';
import type { KdfInfo } from '#lib/server/kdf/client/kdfTypes.ts';

/**
 * Returns the node of a page: the one in the URL, else the first; null when there is none.
 *
 * @throws SvelteKit's 404 for an unknown node
 */
export async function chosenKdf(
	activations: Activations,
	url: URL
): Promise<{ nodes: KdfInfo[]; node: KdfInfo | null }> {
	const nodes = await activations.nodes();
	const wanted = url.searchParams.get('node');
	if (wanted === null) return { nodes, node: nodes[0] ?? null };
	const node = nodes.find(({ id }) => id === wanted);
	return { nodes, node: node ?? error(404, { message: kdfList.noSuchNode }) };
}

/**
 * Returns the node of a page that needs one.
 *
 * @throws SvelteKit's 404 without a node, and for an unknown one
 */
export async function requireKdf(
	activations: Activations,
	url: URL
): Promise<{ nodes: KdfInfo[]; node: KdfInfo }> {
	const { nodes, node } = await chosenKdf(activations, url);
	return { nodes, node: node ?? error(404, { message: kdfList.notConfigured }) };
}

/** Returns a member's rights at trading nodes. */
export const mayTrade = ({ role }: Identity) => ({
	activate: mayAccess(role, 'activate', false),
	sign: mayAccess(role, 'sign', false),
	admin: mayAccess(role, 'admin', false)
});

/** Removes the node's own text for readers who may not activate: it may contain an address of the team. */
export function redactedFor(
	{ activate }: { activate: boolean },
	{ unquoted, said, ...words }: FailureWords
): Omit<FailureWords, 'unquoted'> {
	if (activate) return said === undefined ? words : { ...words, said };
	return unquoted === undefined ? words : { ...words, what: unquoted };
}

/** Returns what pages show of a node. Viewers see it, too, so its address is left out. */
export const kdfView = ({ id, version, state, stop, dialect }: KdfInfo) => ({
	id,
	version,
	state,
	dialect,
	stop: stop === null ? null : { left: stop.attemptsLeft }
});
