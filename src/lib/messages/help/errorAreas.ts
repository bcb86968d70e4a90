import type { ErrorAreaName } from '../errors/index.ts';

/** What the errors of one area have in common: what happened, what is safe, and what to do next. */
interface AreaHelp {
	readonly title: string;
	readonly meaning: string;
	readonly next: string;
}

const RELOAD = 'Reload the page and try again.';
const TOLD = 'Tell an admin the code and the request ID: the log holds the cause under that ID.';

/** By area, the part of a code before its dot. */
export const ERROR_AREAS: Readonly<Record<ErrorAreaName, AreaHelp>> = {
	account: {
		title: 'Accounts and login',
		meaning: 'A name, password, role, session or link was not accepted. Nothing was changed.',
		next: 'Correct the marked field. When a link has expired or was used, ask an admin for a new one.'
	},
	activation: {
		title: 'Activations of the trading node',
		meaning: 'An activation or its hardware wallet did not take what was asked.',
		next: 'Open the activation: its page says what it waits for, and lets you try again or cancel it.'
	},
	'address-book': {
		title: 'Address book',
		meaning: 'An entry or an imported file was not accepted. Nothing was saved.',
		next: 'Correct the marked field or the named line of the file. Labels must not look like others.'
	},
	answer: {
		title: 'Responses to scripts',
		meaning: 'A response could not be read or given in full.',
		next: 'Ask for less at once. A call that changes something may have been made: look it up first.'
	},
	api: {
		title: 'Lists and details (/api/v1)',
		meaning:
			'A parameter is not one that the list or page knows, or the index does not hold it yet.',
		next: 'Compare the request with the OpenAPI document. For a chain that is not indexed, wait until its index is.'
	},
	approval: {
		title: 'Approvals by members',
		meaning:
			'A request for approval is closed, is your own, or is not what was shown. It was not counted.',
		next: `${RELOAD} Read the transaction again before you approve it.`
	},
	assignment: {
		title: 'Reassigned work',
		meaning: 'Open work cannot be given to this member.',
		next: 'Choose a member whose role and wallets allow the work.'
	},
	audit: {
		title: 'Audit log',
		meaning: 'A copy of the audit log or of its checkpoints cannot be read.',
		next: 'Restore the file, or verify against another copy with "npm run komodeck -- audit verify".'
	},
	backup: {
		title: 'Backup and restore',
		meaning: 'A backup cannot be made or restored. The database was not changed.',
		next: 'Check the file, its release and the key of the installation; restore into an empty database.'
	},
	change: {
		title: 'Proposed changes',
		meaning: 'A change that waits for other admins is closed, outdated or your own.',
		next: `${RELOAD} When what it changes has moved on, propose the change again.`
	},
	config: {
		title: 'Configuration',
		meaning: 'A setting or a file that it names cannot be used. The server does not start with it.',
		next: 'Correct the named setting, then run "npm run komodeck -- check".'
	},
	console: {
		title: 'RPC console',
		meaning: 'A parameter in the form does not fit the method. No call was made.',
		next: 'Correct the marked parameter; the example shows its shape.'
	},
	credentials: {
		title: 'Credentials of a daemon',
		meaning: 'The cookie file of a daemon cannot be read.',
		next: 'Let the account of the server read the file, or set rpcuser and rpcpassword in the configuration of the daemon.'
	},
	daemon: {
		title: 'Calls to a daemon',
		meaning:
			'A daemon is offline, starting, busy, refused the call, or gave a response that cannot be understood. Reads change nothing; for a call that sends something the message says whether it may have arrived.',
		next: 'Open the page of the daemon for its state. Do not send the same payment again while its state is unknown.'
	},
	database: {
		title: 'Database',
		meaning:
			'The database is unreachable, is another one, or could not be brought to this release.',
		next: 'Nothing is sent without the database. Bring it back; the server continues by itself. Otherwise read the log.'
	},
	egress: {
		title: 'Servers that settings or members name',
		meaning:
			'A server of a coin, a webhook, a push service or the provider of single sign-on cannot be reached, or may not be called from here.',
		next: 'Check the address, choose other servers, or let an admin allow private addresses.'
	},
	engine: {
		title: 'Engine of migrations',
		meaning: 'A migration cannot continue by itself.',
		next: 'Open the migration; its page says what is missing. The burn stays provable.'
	},
	factor: {
		title: 'Second factor',
		meaning: 'A code or a passkey was not accepted, or a second factor is still missing.',
		next: 'Check the clock of the device that shows codes, use another factor, or ask an admin to reset it.'
	},
	indexer: {
		title: 'Index of a chain',
		meaning:
			'Blocks could not be read into the index. Lists and balances may be outdated; nothing is lost.',
		next: 'Check the daemon. The index continues by itself; an admin can read blocks again from a height.'
	},
	kdf: {
		title: 'Calls to the trading node',
		meaning:
			'The trading node is offline, busy, refused the call, or gave a response that cannot be understood.',
		next: 'Check the node and its password in the configuration. An activation in progress is looked up again by itself.'
	},
	lease: {
		title: 'Work shared by servers',
		meaning: 'Another server has taken over this step. Nothing is done twice.',
		next: RELOAD
	},
	limit: {
		title: 'Spending limits',
		meaning:
			'A limit would be exceeded, or the amount of a transaction cannot be determined. Nothing was sent.',
		next: 'Wait until the 24 hours allow it, send less, or ask an admin for another limit.'
	},
	mm2: {
		title: 'Settings of a trading node (MM2.json)',
		meaning: 'The settings file of the trading node lacks a member or has one that cannot be used.',
		next: 'Correct the named member of the file, then restart the node and Komodeck.'
	},
	'notary-approval': {
		title: 'Notary approvals',
		meaning: 'An approval of a notary could not be made or sent.',
		next: 'Give the notary wallet a confirmed UTXO, and check that its daemon relays transactions.'
	},
	notice: {
		title: 'Notifications',
		meaning: 'A notice could not be delivered, or its email address or webhook was not accepted.',
		next: 'Correct the address or URL; "npm run komodeck -- check" logs in at the mail server.'
	},
	policy: {
		title: 'Policies',
		meaning: 'A rule denies the transaction or asks for approvals. Nothing was sent.',
		next: 'Open the request under Approvals, or ask an admin which rule denies it.'
	},
	queue: {
		title: 'Too many calls at once',
		meaning:
			'The queue of calls to a daemon or trading node is full or took too long. The call was not made.',
		next: 'Try again in a moment, with fewer calls at once.'
	},
	review: {
		title: 'Verification of a migration',
		meaning:
			'A transaction of a migration, as the daemon built it, is not what was asked for or cannot be read in full. It is not sent.',
		next: `Do not send it by other means. ${TOLD}`
	},
	safety: {
		title: 'Safety controls',
		meaning: 'Sending is frozen or the console is read-only. Nothing was sent or changed.',
		next: 'Wait until an admin turns the safety control off; migrations resume by themselves.'
	},
	secret: {
		title: 'Key of the installation',
		meaning: 'The key that protects stored secrets is missing, damaged or another one.',
		next: 'Restore the key file that belongs to this database. Without it stored secrets cannot be read.'
	},
	'self-import': {
		title: 'Self-imports',
		meaning: 'A self-import is not possible on this chain or to this recipient. Nothing was sent.',
		next: 'Correct the recipient, or check the parameters of the chain and the key of the issuing wallet.'
	},
	'sign-on': {
		title: 'Single sign-on',
		meaning: 'The identity provider or the account does not let you in this way.',
		next: 'Try again from the login page, or ask an admin which role and domain the provider must send.'
	},
	signature: {
		title: 'Signed transactions from a daemon',
		meaning:
			'Signed bytes were held back, because they could be changed afterwards or cannot be checked.',
		next: 'Sign with the hash type ALL and send through Komodeck, which checks the bytes.'
	},
	'token-limit': {
		title: 'Limits of an API token',
		meaning: 'The API token may not send this. Nothing was sent.',
		next: 'Send less or to a listed recipient, or create a token with other limits.'
	},
	transaction: {
		title: 'Building and sending a transaction',
		meaning: 'A transaction could not be built or sent as asked.',
		next: 'Correct the marked field. When a review has expired, start it again: nothing was sent.'
	},
	transport: {
		title: 'Connections',
		meaning: 'A connection could not be made, was closed or took too long.',
		next: 'Check address, port, certificate and firewall between the server and what it calls.'
	},
	usage: {
		title: 'Command line',
		meaning: 'A command or one of its options is not known. Nothing was done.',
		next: 'Run npm run komodeck -- --help.'
	},
	utxos: {
		title: 'Selected UTXOs',
		meaning: 'A selected UTXO is locked for another transaction. Nothing was sent.',
		next: 'Discard that transaction, or select other UTXOs.'
	},
	verification: {
		title: 'Verification of a transaction',
		meaning:
			'The transaction that the daemon built is not what was asked for or cannot be read in full. It is not sent.',
		next: `Do not send it by other means. ${TOLD}`
	},
	wallet: {
		title: 'Rights to a wallet',
		meaning: 'Your account, role or wallets do not allow this. Nothing was sent.',
		next: 'Ask an admin to give you the wallet or the role, or let another member continue.'
	},
	'wallet-daemon': {
		title: 'The daemon of a wallet',
		meaning:
			'The daemon is not the one that the wallet belongs to, or has no usable wallet. The message says whether something may have been sent.',
		next: 'Open the page of the daemon: it says what differs and how to fix it.'
	},
	work: {
		title: 'Open work',
		meaning:
			'The work is in the hands of another member, or a draft was changed by one after you opened it.',
		next: 'Ask that member or an admin to reassign it; open a changed draft again.'
	}
};
