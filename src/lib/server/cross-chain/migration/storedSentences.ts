/**
 * Sentences that releases before stored codes wrote. Recognized ones are converted to codes; all others are kept
 * and displayed unchanged.
 */
import {
	legacyMessage,
	sentenceReader,
	type StoredMessage,
	type StoredSentence
} from '../../platform/database/storedSentences.ts';

const SENTENCES: readonly StoredSentence[] = [
	['draft.rebuilt', 'Built the burn again: its outputs had been spent meanwhile.'],
	['burn.confirmed', '{actor} confirmed the burn.'],
	['migration.discarded', '{actor} gave the migration up. Nothing was burned.'],
	['migration.retried', '{actor} had it tried again.'],
	['migration.recovered', '{actor} took up a burn made on {chain}.'],
	['burn.sent', 'Sent the burn to {chain}.'],
	['burn.pending', 'The burn waits in the mempool of {chain}.'],
	['burn.mined', 'Block {height:n} of {chain} holds the burn.'],
	['burn.moved', 'After a reorganization block {height:n} of {chain} holds the burn.'],
	['burn.lost', 'The burn is no longer known on {chain}: the same transaction is sent again.'],
	[
		'back-notarization.awaited',
		"Waits until notaries have recorded the burn's block on KMD and back on {chain}."
	],
	['import.built', 'Built the import with the proof from {chain}.'],
	['import.rebuilt', 'Built the import again with the present proof of {chain}.'],
	['burn.published', '{actor} published the burn, so that notaries approve it on {chain}.'],
	[
		'burn.withdrawn',
		'{actor} took the burn off the published list; it goes on with notarizations.'
	],
	[
		'import.built-approved',
		'Built the import on {chain} with the approvals of {notaries:n} notaries.'
	],
	['approvals.doubted', '{chain} does not accept the approvals: they are looked up again.'],
	[
		'approvals.refused',
		'{chain} refused the import with these approvals, although each of them holds. It is tried again with later blocks; more approvals may help.'
	],
	[
		'approvals.not-built',
		'{chain} does not build the import with approvals ({response}).{*} The burn is safe in the chain.'
	],
	['target.awaited', 'Waits until {chain} is notarized on KMD after the burn.'],
	[
		'completion.done',
		'KMD completed the proof with offset {offset:n}. {chain} knows the root of the proof.'
	],
	['momom.awaited', "Waits until notaries have recorded the proof's root on {chain}."],
	[
		'burn.found',
		'{actor} confirmed a burn that was on {chain} already: it was taken up and not sent again.'
	],
	['approval.asked', 'The import is ready. It is sent when somebody approves it.'],
	[
		'approval.asked-two',
		'The import is ready. It is sent when two different people have approved it.'
	],
	['approval.first', '{actor} approved the import. It is sent when somebody else approves it too.'],
	['import.approved', '{actor} approved the import.'],
	['import.chosen', 'The import is going to be sent to {chain}.'],
	['import.sent', 'Sent the import to {chain}.'],
	['import.pending', 'The import waits in the mempool of {chain}.'],
	['import.mined', 'Block {height:n} of {chain} holds the import.'],
	['import.lost', 'The import is no longer known on {chain}: it is looked up and sent again.'],
	['import.early', '{chain} does not accept the proof yet; waits for its next notarization.'],
	['import.searched', 'Looks for an import of this burn on {chain}.'],
	['daemon.unreadable', 'An answer of {chain} cannot be used: {detail}'],
	[
		'refusal.passing',
		'{chain} refuses this at the moment ({response}). It may pass: the same is tried again.{*}'
	],
	[
		'refusal.lasting',
		'{chain} has refused this for a long time ({response}).{*} Nothing is lost; choose Try again when the daemon is in order.'
	],
	[
		'build.broken',
		'The connection to {chain} ended three times while it built the import: its daemon may have crashed. The burn is safe; look at that daemon, then choose Try again.'
	],
	[
		'import.not-final',
		'The block is watched until it is final on {chain}; should it be taken back, the same import is sent again.'
	],
	['import.final', 'Block {height:n} of {chain} is final.'],
	['import.moved', 'After a reorganization block {height:n} of {chain} holds the import.'],
	[
		'import.reorganized',
		'A reorganization of {chain} took the block of the import back: it is looked up, and the same bytes are sent again.'
	],
	[
		'burn.reorganized',
		'A reorganization of {chain} took the block of the burn back: it is looked up, and the same bytes are sent again.'
	],
	[
		'import.gone',
		'The import that was found on {chain} is gone and its bytes are not known here: the proof is made anew.'
	],
	[
		'notarization.unknown',
		"KMD does not have the notarization of {chain} that the proof begins with, or not yet. Waits until notaries have recorded the burn's block there and back on {*}; if that takes days, publish the burn, so that notaries approve it."
	],
	[
		'send.unknown',
		'The connection to {chain} broke while sending: it is looked up before anything is sent again.'
	],
	[
		'send.not-shown',
		'{chain} took the transaction and does not show it yet: it is looked up again.'
	],
	[
		'send.claimed',
		'{chain} says that it is there already ({response}): it is looked up before anything is sent again.'
	],
	[
		'burn.refused',
		'{chain} refused the burn ({response}), and so far it is in no block. It could still get into one, so do not start again yet: it is looked for, and this page says when that is safe.{*}'
	],
	[
		'burn.dead',
		'{chain} refused the burn ({response}), and it cannot get into a block any more: nothing was burned. Start again.{*}'
	],
	[
		'proof.dead',
		'The proof cannot be completed on this route ({response}).{*} The burn is safe in the chain; the backup route with approvals of notaries is left.'
	],
	// The least specific pattern last: it begins with any text.
	['daemon.no-answer', '{chain} does not answer: {detail}']
];

const recognized = sentenceReader(SENTENCES);

/** Number of approvals, with those that do not count yet. */
const APPROVALS =
	/^(\d+) of \d+ notaries have approved the burn\.(?: (\d+) more approvals? waits? for a block\.)?(?: (\d+) ids? could not be looked up yet\.)?$/;

function approvalsOf(text: string): StoredMessage | null {
	const found = APPROVALS.exec(text);
	if (!found) return null;
	const [counted, pending, unknown] = found.slice(1).map((digits) => Number(digits ?? 0));
	return { code: 'approvals.awaited', params: { counted, pending, unknown } };
}

const TRY = /Completion with offset (-?\d+): (.*?)\.(?= Completion with offset -?\d+: |$)/gs;

/** Parses the results of all offsets from a sentence; null when it is not such a sentence. */
export function triesOf(text: string): { offset: number; response: string }[] | null {
	const found = [...text.matchAll(TRY)];
	const told = found.map(([all]) => all).join(' ');
	if (found.length === 0 || told !== text) return null;
	return found.map(([, offset, response]) => ({
		offset: Number(offset),
		response: response ?? ''
	}));
}

function offsetAttemptsOf(text: string): StoredMessage | null {
	const tried = triesOf(text);
	return tried && { code: 'completion.tried', params: { tried } };
}

const DRAFTED = /^Built a burn of (\d+)\.(\d{8}) coins of (.*) for (.*)\.$/s;

/** Drafts of tokens did not name their source, and are displayed unchanged. */
function draftOf(text: string): StoredMessage | null {
	const [, whole, parts, source, destination] = DRAFTED.exec(text) ?? [];
	if (whole === undefined || parts === undefined) return null;
	const amount = BigInt(`${whole}${parts}`).toString();
	return { code: 'draft.built', params: { amount, token: null, source, destination } };
}

const STOPPED = 'Nothing was sent, a check stopped it: ';

function preflightOf(text: string): StoredMessage | null {
	if (!text.startsWith(STOPPED)) return null;
	return { code: 'preflight.failed', params: { check: legacyMessage(text.slice(STOPPED.length)) } };
}

/** Returns the message of a stored sentence. */
export const messageOfSentence = (text: string): StoredMessage =>
	preflightOf(text) ??
	draftOf(text) ??
	approvalsOf(text) ??
	offsetAttemptsOf(text) ??
	recognized(text) ??
	legacyMessage(text);
