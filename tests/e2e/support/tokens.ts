import type { Devnet } from '../../support/devnet.ts';

/** The first token in ALPHA's history; tests create others, whose ids sort before or after it. */
const NAME = 'ALPHAGOLD';

/** A token with a plain name that exists from the beginning. */
export async function seededToken({ rpc }: Devnet): Promise<{ id: string; name: string }> {
	for (const id of await rpc<string[]>('ALPHA', 'tokenlist')) {
		const { name } = await rpc<{ name: string }>('ALPHA', 'tokeninfo', id);
		if (name === NAME) return { id, name };
	}
	throw new Error(`The network has no token ${NAME}.`);
}
