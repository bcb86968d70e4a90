/** What people read about a migration. Chain names and states are put into sentences here only. */
import { formatCoins, type Satoshi } from '#lib/chain/amount.ts';
import { APPROVALS_NEEDED } from '#lib/chain/approval.ts';
import { explainErrorText } from '#lib/rpc/errors/index.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import type { MigrationState } from './states.ts';

/** Words for a state, as lists show it. */
export const STATE_WORDS: Readonly<Record<MigrationState, string>> = {
	draft: 'Waits for your confirmation',
	'preflight-failed': 'Cannot be sent as it is',
	'burn-unknown': 'Sending the burn',
	'burn-pending': 'Burn waits for a block',
	'burn-confirmed': 'Burned, waits for a notarization',
	'waiting-back-notarization': 'Burned, waits for a notarization',
	'import-built': 'Completing the proof',
	'waiting-target-notarization': 'Waits for the destination to be notarized',
	'backup-collecting': 'Waits for approvals of notaries',
	'needs-approval': 'Waits for your approval',
	'ready-to-import': 'Ready to import',
	'import-unknown': 'Sending the import',
	'import-pending': 'Import waits for a block',
	done: 'Arrived, not final yet',
	final: 'Arrived',
	stuck: 'Stopped, needs a person',
	abandoned: 'Given up before the burn'
};

/** How many approvals there are of a burn. */
export interface ApprovalCount {
	/** Different notaries whose approval is in a block. */
	counted: number;
	/** Different notaries more whose approval waits for a block. */
	pending: number;
	/** Ids that could not be looked up yet. */
	unknown: number;
}

const some = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** Whose move it is, in words. */
interface Chains {
	source: string;
	destination: string;
}

const coins = (amount: Satoshi, chain: string): string =>
	`${formatCoins(amount)} coins of ${chain}`;

export const words = {
	drafted: (amount: bigint, token: string | null, { source, destination }: Chains) =>
		token === null
			? `Built a burn of ${coins(amount, source)} for ${destination}.`
			: `Built a burn of ${some(Number(amount), 'unit', 'units')} of the token “${visibleText(token)}” for ${destination}.`,
	preflightFailed: (sentence: string) => `Nothing was sent, a check stopped it: ${sentence}`,
	rebuilt: 'Built the burn again: its outputs had been spent meanwhile.',
	confirmed: (actor: string) => `${actor} confirmed the burn.`,
	abandoned: (actor: string) => `${actor} gave the migration up. Nothing was burned.`,
	retried: (actor: string) => `${actor} had it tried again.`,
	adopted: (actor: string, source: string) => `${actor} took up a burn made on ${source}.`,
	burnSent: (source: string) => `Sent the burn to ${source}.`,
	burnSeen: (source: string) => `The burn waits in the mempool of ${source}.`,
	burnMined: (source: string, height: number) => `Block ${height} of ${source} holds the burn.`,
	burnMovedTo: (source: string, height: number) =>
		`After a reorganization block ${height} of ${source} holds the burn.`,
	burnLost: (source: string) =>
		`The burn is no longer known on ${source}: the same transaction is sent again.`,
	backNotarization: (source: string) =>
		`Waits until notaries have recorded the burn's block on KMD and back on ${source}.`,
	importBuilt: (source: string) => `Built the import with the proof from ${source}.`,
	importRebuilt: (source: string) => `Built the import again with the present proof of ${source}.`,
	published: (actor: string, destination: string) =>
		`${actor} published the burn, so that notaries approve it on ${destination}.`,
	withdrawn: (actor: string) =>
		`${actor} took the burn off the published list; it goes on with notarizations.`,
	approvalsAwaited: ({ counted, pending, unknown }: ApprovalCount) =>
		`${counted} of ${APPROVALS_NEEDED} notaries have approved the burn.${
			pending === 0
				? ''
				: ` ${some(pending, 'more approval waits', 'more approvals wait')} for a block.`
		}${unknown === 0 ? '' : ` ${some(unknown, 'id', 'ids')} could not be looked up yet.`}`,
	approvedBurn: (notaries: number) => `${notaries} notaries have approved the burn.`,
	approvedImportBuilt: (source: string, notaries: number) =>
		`Built the import on ${source} with the approvals of ${notaries} notaries.`,
	approvalsDoubted: (destination: string) =>
		`${destination} does not accept the approvals: they are looked up again.`,
	approvalsRefused: (destination: string) =>
		`${destination} refused the import with these approvals, although each of them holds. It is tried again with later blocks; more approvals may help.`,
	backupRefused: (source: string, said: string) =>
		`${source} does not build the import with approvals (${said}).${meaning(said)} The burn is safe in the chain.`,
	targetOnKmd: (destination: string) =>
		`Waits until ${destination} is notarized on KMD after the burn.`,
	ladder: (offset: number, outcome: string) => `Completion with offset ${offset}: ${outcome}.`,
	completed: (offset: number) => `KMD completed the proof with offset ${offset}.`,
	momomAwaited: (destination: string) =>
		`Waits until notaries have recorded the proof's root on ${destination}.`,
	momomFound: (destination: string) => `${destination} knows the root of the proof.`,
	alreadyBurned: (actor: string, source: string) =>
		`${actor} confirmed a burn that was on ${source} already: it was taken up and not sent again.`,
	approvalAsked: 'The import is ready. It is sent when somebody approves it.',
	approvalAskedOfTwo: 'The import is ready. It is sent when two different people have approved it.',
	approvedFirst: (actor: string) =>
		`${actor} approved the import. It is sent when somebody else approves it too.`,
	approved: (actor: string) => `${actor} approved the import.`,
	importChosen: (destination: string) => `The import is going to be sent to ${destination}.`,
	importSent: (destination: string) => `Sent the import to ${destination}.`,
	importSeen: (destination: string) => `The import waits in the mempool of ${destination}.`,
	importMined: (destination: string, height: number) =>
		`Block ${height} of ${destination} holds the import.`,
	importFound: (destination: string) =>
		`${destination} already has an import of this burn: nothing was sent again.`,
	importLost: (destination: string) =>
		`The import is no longer known on ${destination}: it is looked up and sent again.`,
	importEarly: (destination: string) =>
		`${destination} does not accept the proof yet; waits for its next notarization.`,
	searching: (destination: string) => `Looks for an import of this burn on ${destination}.`,
	noAnswer: (chain: string, said: string) => `${chain} does not answer: ${said}`,
	unreadable: (chain: string, said: string) => `An answer of ${chain} cannot be used: ${said}`,
	refusedForNow: (chain: string, said: string) =>
		`${chain} refuses this at the moment (${said}). It may pass: the same is tried again.${meaning(said)}`,
	refusedTooOften: (chain: string, said: string) =>
		`${chain} has refused this for a long time (${said}).${meaning(said)} Nothing is lost; choose Try again when the daemon is in order.`,
	buildBroke: (source: string) =>
		`The connection to ${source} ended three times while it built the import: its daemon may have crashed. The burn is safe; look at that daemon, then choose Try again.`,
	notFinal: (destination: string) =>
		`The block is watched until it is final on ${destination}; should it be taken back, the same import is sent again.`,
	final: (destination: string, height: number) => `Block ${height} of ${destination} is final.`,
	movedTo: (destination: string, height: number) =>
		`After a reorganization block ${height} of ${destination} holds the import.`,
	takenBack: (destination: string) =>
		`A reorganization of ${destination} took the block of the import back: it is looked up, and the same bytes are sent again.`,
	burnTakenBack: (source: string) =>
		`A reorganization of ${source} took the block of the burn back: it is looked up, and the same bytes are sent again.`,
	importUnknown: (destination: string) =>
		`The import that was found on ${destination} is gone and its bytes are not known here: the proof is made anew.`,
	notarizationGone: (source: string) =>
		`KMD does not have the notarization of ${source} that the proof begins with, or not yet. Waits until notaries have recorded the burn's block there and back on ${source}; if that takes days, publish the burn, so that notaries approve it.`,
	outcomeUnknown: (chain: string) =>
		`The connection to ${chain} broke while sending: it is looked up before anything is sent again.`,
	notShown: (chain: string) =>
		`${chain} took the transaction and does not show it yet: it is looked up again.`,
	claimed: (chain: string, said: string) =>
		`${chain} says that it is there already (${said}): it is looked up before anything is sent again.`,
	burnRefused: (source: string, said: string) =>
		`${source} refused the burn (${said}), and so far it is in no block. It could still get into one, so do not start again yet: it is looked for, and this page says when that is safe.${meaning(said, 'sendrawtransaction')}`,
	nothingBurned: (source: string, said: string) =>
		`${source} refused the burn (${said}), and it cannot get into a block any more: nothing was burned. Start again.${meaning(said, 'sendrawtransaction')}`,
	dead: (said: string) =>
		`The proof cannot be completed on this route (${said}).${meaning(said)} The burn is safe in the chain; the backup route with approvals of notaries is left.`,
	importRefused: (destination: string, said: string) =>
		`${destination} refused the import: ${refusalHint(said)}`
} as const;

/** What the daemon's words mean, as a sentence to put behind others; empty for words nobody wrote about. */
function meaning(said: string, method: string | null = null): string {
	const known = explainErrorText(method, said);
	return known === null ? '' : ` ${known.what}`;
}

/** What can be done about a refusal that repeats itself: its meaning, and the words that came. */
function refusalHint(said: string): string {
	const known = explainErrorText('sendrawtransaction', said);
	return known === null ? `${said}.` : `${said}. ${known.what} ${known.next}`;
}
