/**
 * The guards that stand between an attacker and what this program keeps, as data. Each is asked at its place
 * by `stands`; the test of their removal builds the program with switches, turns each off and carries out the
 * attack that it stops, which must then succeed.
 */

/** One guard. */
export interface Guard {
	/** The file that asks it. */
	readonly where: string;
	/** What comes through when it is gone, as a sentence. */
	readonly stops: string;
	/** The attacks of `tests/attacks` that get through without it. */
	readonly attacks: readonly string[];
	/** The guard before it, which is down while this one is tried: else nothing would reach it. */
	readonly behind?: string;
}

export const GUARDS = {
	origin: {
		where: 'src/lib/server/auth/guard.ts',
		stops: 'A page of another site posts a form in the name of who is signed in.',
		attacks: ['form-from-another-site']
	},
	'door-origin': {
		where: 'src/lib/server/gateway/door.ts',
		stops: 'A page of another site posts a JSON call in the name of who is signed in.',
		attacks: ['json-from-another-site']
	},
	'route-table': {
		where: 'src/lib/server/auth/guard.ts',
		stops: 'Somebody without the role, or without any session, opens what others may see.',
		attacks: ['role-taken-during-a-session', 'events-without-a-session']
	},
	'earlier-session-ends': {
		where: 'src/lib/server/auth/signIn.ts',
		stops: 'A session that was planted in a browser goes on beside the new one.',
		attacks: ['session-fixation']
	},
	'logout-ends-session': {
		where: 'src/routes/logout/+server.ts',
		stops: 'A copy of the cookie works after the logout.',
		attacks: ['cookie-after-logout']
	},
	'cookie-hidden': {
		where: 'src/lib/server/auth/session.ts',
		stops: 'A script in a page reads the session cookie.',
		attacks: ['cookie-read-by-a-script']
	},
	'stream-ends': {
		where: 'src/lib/server/live/live.ts',
		stops: 'The event stream of a session goes on after the logout.',
		attacks: ['events-after-logout']
	},
	'token-within-person': {
		where: 'src/lib/server/auth/apiTokens.ts',
		stops: 'A token keeps a role that its person has lost.',
		attacks: ['token-above-its-person']
	},
	'token-revoked': {
		where: 'src/lib/server/auth/apiTokens.ts',
		stops: 'A revoked token works.',
		attacks: ['revoked-token']
	},
	'token-expired': {
		where: 'src/lib/server/auth/apiTokens.ts',
		stops: 'A token works after its end.',
		attacks: ['expired-token']
	},
	'token-methods': {
		where: 'src/lib/server/gateway/door.ts',
		stops: 'A token calls a method that is not in its list.',
		attacks: ['token-beyond-its-methods']
	},
	'token-daemons': {
		where: 'src/lib/server/gateway/door.ts',
		stops: 'A token calls a daemon that is not in its list.',
		attacks: ['token-beyond-its-daemons']
	},
	'method-role': {
		where: 'src/lib/server/gateway/door.ts',
		stops:
			'A method that the role may not call is hidden in a batch, or gives the wallet’s keys away.',
		attacks: ['forbidden-method-in-a-batch', 'keys-of-the-wallet']
	},
	'node-userpass': {
		where: 'src/lib/server/gateway/nodeDoor.ts',
		stops: 'Whoever may call the door brings passwords of a trading node along.',
		attacks: ['password-brought-to-the-node']
	},
	'node-method-role': {
		where: 'src/lib/server/gateway/nodeDoor.ts',
		stops:
			'A role signs, activates or disables at a trading node what it may not, or gets its keys.',
		attacks: ['signature-in-a-batch', 'keys-of-the-trading-node']
	},
	'node-token-methods': {
		where: 'src/lib/server/gateway/nodeDoor.ts',
		stops: 'A token calls a method of a trading node that is not in its list.',
		attacks: ['token-beyond-its-node-methods']
	},
	'node-token-nodes': {
		where: 'src/lib/server/gateway/nodeDoor.ts',
		stops: 'A token of other daemons calls a trading node.',
		attacks: ['token-beyond-its-node']
	},
	'node-demands': {
		where: 'src/lib/server/gateway/nodeDoor.ts',
		stops: 'An operator hands the keys of a coin to a remote signer.',
		attacks: ['remote-signer-of-an-operator']
	},
	'node-servers': {
		where: 'src/lib/server/gateway/nodeDoor.ts',
		stops: 'An operator makes a trading node connect to any address.',
		attacks: ['node-sent-to-any-server']
	},
	'own-names': {
		where: 'src/lib/server/gateway/door.ts',
		stops: 'A name that every object has is taken for a method.',
		attacks: ['names-of-prototypes']
	},
	'checked-json': {
		where: 'src/lib/server/gateway/door-calls.ts',
		stops: 'What is no JSON is cut into calls.',
		attacks: ['wild-ids-and-types']
	},
	'depth-limit': {
		where: 'src/lib/server/gateway/door-calls.ts',
		stops: 'JSON of any depth reaches the daemon.',
		attacks: ['deep-json']
	},
	'batch-limit': {
		where: 'src/lib/server/gateway/door-calls.ts',
		stops: 'One request holds any number of calls.',
		attacks: ['oversized-batch']
	},
	'door-body-limit': {
		where: 'src/lib/server/gateway/door.ts',
		stops: 'A call of any size is read into memory.',
		attacks: ['oversized-call']
	},
	'head-limit': {
		where: 'src/start/server.ts',
		stops: 'A request has any number of header fields.',
		attacks: ['too-many-header-fields']
	},
	'connection-limit': {
		where: 'src/start/server.ts',
		stops: 'One address holds every connection that the server takes.',
		attacks: ['flood-of-connections']
	},
	'call-budget': {
		where: 'src/lib/server/gateway/door.ts',
		stops: 'One person calls daemons without end.',
		attacks: ['flood-of-calls']
	},
	'request-budget': {
		where: 'src/hooks.server.ts',
		stops: 'One address asks for pages without end.',
		attacks: ['flood-of-pages']
	},
	'login-throttle': {
		where: 'src/lib/server/auth/loginThrottle.ts',
		stops: 'Passwords are guessed as fast as they can be sent.',
		attacks: ['guessed-passwords']
	},
	'same-work': {
		where: 'src/lib/server/auth/password.ts',
		stops: 'The time of an answer tells which names exist.',
		attacks: ['login-timing']
	},
	'set-up-once': {
		where: 'src/lib/server/auth/setup.ts',
		stops: 'A set-up link makes a second admin.',
		attacks: ['set-up-link-again']
	},
	'link-once': {
		where: 'src/lib/server/auth/links.ts',
		stops: 'An invitation makes a second account, a reset a second password.',
		attacks: ['invitation-again', 'reset-again']
	},
	'safe-next': {
		where: 'src/lib/server/auth/next.ts',
		stops: 'A login ends on a page of somebody else.',
		attacks: ['open-redirect']
	},
	'request-id': {
		where: 'src/hooks.server.ts',
		stops: 'A caller writes what it likes into headers of the answer and into the log.',
		attacks: ['header-injection']
	},
	'security-headers': {
		where: 'src/hooks.server.ts and src/start/server.ts',
		stops: 'A browser guesses types, tells other sites where it was, and shares its process.',
		attacks: ['guessed-types']
	},
	'content-policy': {
		where: 'src/hooks.server.ts',
		stops: 'A script that got into a page runs, and another site shows the page in a frame.',
		attacks: ['page-in-a-frame']
	},
	'formula-cells': {
		where: 'src/lib/server/api/csv.ts',
		stops: 'A token’s name is run as a formula by a spreadsheet.',
		attacks: ['formula-in-an-export']
	},
	'own-wallets': {
		where: 'src/lib/server/limits/rights.ts',
		stops: 'Somebody uses a wallet that an admin did not give them.',
		attacks: ['wallet-of-others']
	},
	'others-work': {
		where: 'src/lib/server/limits/rights.ts',
		stops: 'Somebody ends what a colleague has reviewed, without the wallet that it is for.',
		attacks: ['work-of-others']
	},
	'frozen-sends': {
		where: 'src/lib/server/switches/switches.ts',
		stops: 'Something is sent while all sends are frozen.',
		attacks: ['send-while-frozen']
	},
	'usable-data': {
		where: 'src/lib/server/sending/request.ts',
		stops: 'A token is created that can never move.',
		attacks: ['data-that-no-module-checks']
	},
	'receiving-key': {
		where: 'src/lib/server/sending/request.ts',
		stops: 'Tokens go to a key that nobody has, or to an address, and are destroyed.',
		attacks: ['key-that-nobody-has']
	},
	'signed-build': {
		where: 'src/lib/server/sending/compare.ts',
		stops: 'A wallet that cannot sign answers with nothing, and nobody is told that it is locked.',
		attacks: ['transfer-that-nobody-signed']
	},
	'nine-decimals': {
		where: 'src/lib/server/sending/sender.ts',
		stops: 'The daemon reads an amount of eight decimals one satoshi too low.',
		attacks: ['amount-that-is-read-too-low']
	},
	'built-amount': {
		where: 'src/lib/server/sending/compare.ts',
		stops: 'A token of another supply than the one that was asked for is shown for sending.',
		attacks: ['another-amount-than-asked'],
		behind: 'nine-decimals'
	},
	'payload-room': {
		where: 'src/lib/server/sending/sender.ts',
		stops: 'A token is created whose payload no chain takes.',
		attacks: ['payload-without-room']
	},
	'kept-outputs': {
		where: 'src/lib/server/sending/store.ts',
		stops: 'Two transactions that spend the same coins are reviewed side by side.',
		attacks: ['two-reviews-of-the-same-coins']
	},
	'right-wallet': {
		where: 'src/lib/server/sending/wallet.ts',
		stops: 'A reviewed transaction goes out by a daemon that works with another key by now.',
		attacks: ['send-by-another-wallet']
	},
	'sent-once': {
		where: 'src/lib/server/sending/sender.ts',
		stops: 'A button that is pressed several times sends several times.',
		attacks: ['button-pressed-twice']
	},
	'looked-up-first': {
		where: 'src/lib/server/sending/sender.ts',
		stops: 'What may be out already is sent again without a look.',
		attacks: ['sent-again-unseen']
	},
	'imported-once': {
		where: 'src/lib/server/sending/sender.ts',
		stops: 'What somebody else has imported already is imported once more.',
		attacks: ['second-import']
	},
	'shared-id': {
		where: 'src/lib/server/migration/preflight.ts',
		stops: 'Coins are burned for a chain with another id, where they can never be imported.',
		attacks: ['burn-for-another-id']
	},
	'provable-burn': {
		where: 'src/lib/server/migration/preflight.ts',
		stops: 'Coins are burned although no proof of it can be made on the destination.',
		attacks: ['burn-that-nothing-proves']
	},
	'relayed-import': {
		where: 'src/lib/server/migration/preflight.ts',
		stops: 'Coins are burned for a chain whose daemons refuse the import for its size.',
		attacks: ['import-that-is-not-relayed'],
		behind: 'shared-id'
	},
	'few-inputs': {
		where: 'src/lib/server/migration/preflight.ts',
		stops: 'A burn is asked for that would need more outputs than the daemon takes.',
		attacks: ['burn-of-many-outputs']
	},
	'burn-last': {
		where: 'src/lib/server/migration/customBurn.ts',
		stops: 'Change that lands behind a burn makes an end of it instead of another try.',
		attacks: ['change-behind-the-burn']
	},
	'condition-address': {
		where: 'src/lib/server/migration/preflight.ts',
		stops: 'Coins are carried to the token address of a wallet, and are lost.',
		attacks: ['coins-to-a-token-address']
	}
} as const satisfies Record<string, Guard>;

/** A guard of {@link GUARDS}. */
export type GuardName = keyof typeof GUARDS;
