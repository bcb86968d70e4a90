import { sendAccessOf } from '#lib/server/wallet/transactions/sendAccess.ts';
import type { Send } from '#lib/server/wallet/transactions/store.ts';

interface RightsOverSend {
	/** Why this member cannot send it; null when they can, and for visitors. */
	foreign: string | null;
	/** Whether this member may discard it. */
	mayEnd: boolean;
}

/** Returns what the reader of a transaction's page may do with it, as far as its wallet and the reader’s role decide. */
export async function rightsOverSend(
	{ account, app }: App.Locals,
	{ id, kind, daemon, state, createdBy: by }: Send
): Promise<RightsOverSend> {
	if (account === null) return { foreign: null, mayEnd: false };
	const { rights } = app;
	const no =
		state === 'confirmed'
			? null
			: await rights.sendRefusal(account.name, daemon, sendAccessOf({ kind }));
	const held = await rights.endRefusal(account.name, { kind: 'review', id, by, daemon });
	return { foreign: no?.message ?? null, mayEnd: held === null };
}
