import type { Denial } from '#lib/messages/denials.ts';
import { newActivationId } from '../../kdf/activation/newActivationId.ts';
import type { Member } from '../identity/identity.ts';
import type { CallPolicy } from './authorizeCall.ts';
import type { CallDemands } from './demands.ts';

interface Begun {
	id: string;
	/** Another member had begun the same activation, and it was counted for them. */
	joined: boolean;
}

/** The activation that a member asks for. */
interface Asked {
	node: string;
	method: string;
	coin: string;
	/** The call, when another member may have written its parameters. */
	call?: CallDemands;
}

/**
 * Authorizes, counts and begins an activation. Reverts the counting when it joins an existing one or cannot begin.
 * @param begin begins it under the id under which it was counted
 */
export async function beginActivation(
	policy: Pick<CallPolicy, 'authorizeActivation'>,
	member: Member,
	{ node, ...activation }: Asked,
	begin: (id: string) => Promise<Begun>
): Promise<{ denial: Denial } | ({ denial: null } & Begun)> {
	const id = newActivationId();
	const decision = await policy.authorizeActivation(member, node, { id, ...activation });
	if (decision.denial !== null) return { denial: decision.denial };
	let begun: Begun;
	try {
		begun = await begin(id);
	} catch (error) {
		await decision.giveBack();
		throw error;
	}
	if (begun.joined) await decision.giveBack();
	return { denial: null, ...begun };
}
