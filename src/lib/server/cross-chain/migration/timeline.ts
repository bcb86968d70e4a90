/** A migration as the list of steps that pages show: who acts, what is behind, what it waits for. */
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import type { Step } from '#lib/text/steps.ts';
import { currentStep } from './decisions/currentStep.ts';
import { MAIN_CHAIN } from './request.ts';
import { hasArrived } from './states.ts';
import { stepsOf, type StepId, type StepRule } from './steps.ts';
import type { Loaded, MigrationRow, StepRow } from './store.ts';

interface Chains {
	source: string;
	destination: string;
	/** Null where coins are carried. */
	tokenid: string | null;
}

const TITLES: Readonly<Record<StepId, (chains: Chains) => string>> = {
	compose: () => 'Choose what is spent, and who receives',
	convert: ({ destination }) => `Turn it into a burn for ${destination}`,
	fund: () => 'Add the fee and the change',
	burn: ({ source, tokenid }) => `Burn the ${tokenid ? 'token' : 'coins'} on ${source}`,
	'burn-confirmed': ({ source }) => `A block of ${source} holds the burn`,
	'back-notarization': ({ source }) => `Notaries record ${source} on KMD and report back`,
	approvals: ({ destination }) => `Five notaries approve the burn on ${destination}`,
	'import-built': () => 'Build the import with its proof',
	completion: ({ destination }) => `Complete the proof on KMD with ${destination}'s notarization`,
	'target-notarization': ({ destination }) => `Notaries record the proof's root on ${destination}`,
	'import-sent': ({ destination }) => `Send the import to ${destination}`,
	'import-confirmed': ({ destination }) => `A block of ${destination} holds the import`
};

/** What happens in a step that has not begun, and how long it takes on a chain with minute blocks. */
const AHEAD: Readonly<Record<StepId, { detail: string; takes: string }>> = {
	compose: { detail: 'An unsigned transaction that pays the recipients.', takes: 'at once' },
	convert: { detail: 'What it pays becomes what the import will pay.', takes: 'at once' },
	fund: { detail: 'The burn stays the last output.', takes: 'at once' },
	burn: { detail: 'From here on it cannot be taken back.', takes: 'at once' },
	'burn-confirmed': { detail: 'The burn is mined like any transaction.', takes: 'about a block' },
	'back-notarization': {
		detail: 'The burn counts once its block lies in a notarized range.',
		takes: 'until the next notarization'
	},
	approvals: {
		detail:
			'The burn is published with its amount and recipient; each notary answers with a transaction.',
		takes: 'up to the notaries'
	},
	'import-built': { detail: 'Komodeck asks the source chain for the proof.', takes: 'at once' },
	completion: {
		detail: 'The proof is extended to the root over all chains.',
		takes: 'until the next notarization'
	},
	'target-notarization': {
		detail: 'The destination accepts a proof once it knows its root.',
		takes: 'one or two notarizations'
	},
	'import-sent': { detail: 'It is created on the destination chain.', takes: 'at once' },
	'import-confirmed': { detail: 'Then it can be spent.', takes: 'about a block' }
};

function chainOf(rule: StepRule, { source, destination }: Chains): string {
	if (rule.where === 'kmd') return MAIN_CHAIN;
	return rule.where === 'source' ? source : destination;
}

function actorOf(rule: StepRule, row: MigrationRow): string {
	if (rule.id === 'import-sent' && row.policy === 'ask') return 'you approve, Komodeck sends';
	if (rule.id === 'import-sent' && row.policy === 'ask-two') {
		return 'two people approve, Komodeck sends';
	}
	if (rule.actor === 'person') return 'you confirm, Komodeck sends';
	if (rule.actor === 'miners') return `miners of ${chainOf(rule, row)}`;
	return rule.actor === 'notaries' ? 'notaries' : 'Komodeck';
}

/** @param isDone whether the step is behind: a block that was taken back is named no more */
function evidenceOf(
	rule: StepRule,
	step: StepRow | undefined,
	row: MigrationRow,
	isDone: boolean
): Step['evidence'] {
	if (!step) return [];
	const list: NonNullable<Step['evidence']> = [];
	const chain = encodeURIComponent(chainOf(rule, row));
	const { height, blockhash, notarization, root, offset, counted } = step.evidence;
	const mined = rule.id === 'import-confirmed';
	// Built, but not sent yet: it is on no chain.
	const built = ['compose', 'convert', 'fund', 'completion', 'import-built'].includes(rule.id);
	if (step.txid !== null && !built) {
		const href = step.doneAt === null ? undefined : `/chains/${chain}/tx/${step.txid}`;
		const item = { label: 'Transaction', value: step.txid, id: true };
		list.push(href === undefined ? item : { ...item, href });
	}
	if (isDone && typeof height === 'number' && (mined || typeof blockhash === 'string')) {
		list.push({ label: 'Block', value: String(height), href: `/chains/${chain}/block/${height}` });
		const proven = mined ? step.txid : row.burn_txid;
		if (proven !== null) {
			list.push({ label: 'Proof', value: 'as a tree', href: `/chains/${chain}/proof/${proven}` });
		}
	}
	if (typeof notarization === 'string') {
		list.push({
			label: 'Notarization on KMD',
			value: notarization,
			href: `/chains/${MAIN_CHAIN}/tx/${notarization}`,
			id: true
		});
	}
	if (typeof root === 'string') {
		const label = rule.id === 'import-built' ? 'Root of block roots' : 'Root over all chains';
		list.push({ label, value: root, id: true });
	}
	if (rule.id === 'approvals' && typeof counted === 'number') {
		const href = `/notary-approvals/${row.burn_txid ?? ''}`;
		list.push({ label: 'Approvals', value: `${counted} of ${APPROVALS_NEEDED}`, href });
	}
	if (typeof offset === 'number') list.push({ label: 'Offset', value: String(offset) });
	return list;
}

/** The steps of a migration, those ahead included. */
export function timeline(loaded: Loaded): Step[] {
	const { row, steps } = loaded;
	const current = currentStep(loaded);
	const route = stepsOf(row.route);
	const at = route.findIndex(({ id }) => id === current);
	return route.map((rule, i) => {
		const step = steps.get(rule.id);
		const done = hasArrived(row.state) || i < at;
		const now = i === at;
		const stopped = row.state === 'stuck' || row.state === 'abandoned';
		const moment = done ? (step?.doneAt ?? null) : now ? Number(row.state_since) : null;
		const shown: Step = {
			id: rule.id,
			title: TITLES[rule.id](row),
			state: done ? 'done' : now ? (stopped ? 'failed' : 'now') : 'later',
			actor: actorOf(rule, row),
			chain: chainOf(rule, row)
		};
		if (now && row.reason !== null) shown.detail = row.reason;
		else if (!done) shown.detail = AHEAD[rule.id].detail;
		if (!done) shown.takes = AHEAD[rule.id].takes;
		if (moment !== null) shown.at = moment;
		const evidence = evidenceOf(rule, step, row, done);
		if (evidence && evidence.length > 0) shown.evidence = evidence;
		return shown;
	});
}
