/** Creates and transfers tokens through the product's forms, like a member. */
import type { FormOutcome, ProductClient } from '../support/productClient.ts';
import { daemonRefusal } from './daemonClient.ts';
import type { LabDaemon } from './lab.ts';
import type { Report } from './report.ts';
import { waitFor, type Waiting } from './waiting.ts';

/** A transaction that a form created, sent and confirmed. */
interface Confirmed {
	txid: string;
}

/** Sends the transaction that a form has created for review, and waits for its confirmation. */
async function sendReviewed(
	product: ProductClient,
	what: string,
	drafted: FormOutcome,
	waiting: Waiting,
	report: Report
): Promise<Confirmed | null> {
	report.count('transactions sent by forms');
	if (drafted.kind === 'refused') {
		report.mismatch('forms', `${what}: the form was refused: ${drafted.shown}`);
		return null;
	}
	const page = drafted.location;
	const sent = await product.submit(`${page}?/send`, {});
	if (sent.kind === 'refused') {
		report.mismatch('forms', `${what}: it was not sent: ${sent.shown}`);
		return null;
	}
	const confirmed = await waitFor(waiting, async () => {
		const { send } = (await product.page(page)) as { send: { state: string; txid: string | null } };
		return send.state === 'confirmed' ? send : null;
	});
	if (confirmed?.txid) return { txid: confirmed.txid };
	report.unfinished(what, 'No block held it in time. Mine on its chain, or use --mine on regtest.');
	return null;
}

interface MadeTokens {
	fungible: string | null;
	nonFungible: string | null;
}

/**
 * Non-fungible data with an evaluation code that a module validates: other tokens cannot be transferred (seen
 * on release 0.9.0).
 */
const NFT_DATA = 'f1c0ffee';

/**
 * Creates a fungible and a non-fungible token, and transfers a part of the first to a key of another wallet.
 * @returns their ids; null for a token that was not created
 */
export async function makeTokens(
	product: ProductClient,
	{ chain, client }: LabDaemon,
	recipient: string,
	waiting: Waiting,
	report: Report
): Promise<MadeTokens> {
	const form = `/chains/${encodeURIComponent(chain)}/tokens/new`;
	const mark = Date.now().toString(36);
	const create = async (kind: string, supply: string, data: string): Promise<string | null> => {
		const fields = { kind, name: `Replay ${mark}`, supply, description: 'Made by a replay', data };
		const drafted = await product.submit(form, fields);
		const made = await sendReviewed(product, `${kind} token on ${chain}`, drafted, waiting, report);
		return made?.txid ?? null;
	};
	const refusal = await daemonRefusal(() => client.wire('tokenlist'));
	if (refusal !== null) {
		report.impossible(`tokens on ${chain}`, refusal);
		const fields = { kind: 'fungible', name: `Replay ${mark}`, supply: '1000' };
		const { kind } = await product.submit(form, { ...fields, description: '', data: '' });
		if (kind !== 'refused')
			report.mismatch('forms', `${chain}: a token was built that its daemon refuses.`);
		return { fungible: null, nonFungible: null };
	}
	const fungible = await create('fungible', '1000', '');
	const nonFungible = await create('non-fungible', '', NFT_DATA);
	if (fungible !== null) {
		const drafted = await product.submit(
			`/chains/${encodeURIComponent(chain)}/token/${fungible}/transfer`,
			{ recipient, amount: '12' }
		);
		await sendReviewed(product, `token transfer on ${chain}`, drafted, waiting, report);
	}
	return { fungible, nonFungible };
}
