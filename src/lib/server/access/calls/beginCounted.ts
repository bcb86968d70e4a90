/** Begins activations that were counted beforehand. */
import type { GiveBack } from './authorizeCall.ts';

interface Begun {
	id: string;
	/** Another member had begun the same activation, and it was counted for them. */
	joined: boolean;
}

/**
 * Begins an activation that was counted. Reverts the counting when it joins an existing one or cannot begin.
 */
export async function beginCounted(giveBack: GiveBack, begin: Promise<Begun>): Promise<Begun> {
	let begun: Begun;
	try {
		begun = await begin;
	} catch (error) {
		await giveBack();
		throw error;
	}
	if (begun.joined) await giveBack();
	return begun;
}
