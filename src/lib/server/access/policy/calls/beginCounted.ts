/** Activations that were counted before they begin. */
import type { GiveBack } from './authorizeCall.ts';

interface Begun {
	id: string;
	/** Somebody else had begun it: it was counted for them. */
	joined: boolean;
}

/** Begins what was counted; what was joined, or could not be begun, is given back. */
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
