/** Controls of the policies, and of their approvals. */
import type { Control } from './control.ts';

const RECORD_SPEND = 'src/lib/server/access/rights/recordSpend.ts';
const GIVE_BACK = 'src/lib/server/access/rights/giveBack.ts';
const DECIDE = 'src/lib/server/access/policy/rules/decide.ts';
const APPROVALS = 'src/lib/server/access/approvals/approvals.ts';
const DECISIONS = 'src/lib/server/access/approvals/decide.ts';
const OPEN = 'src/lib/server/access/approvals/open.ts';
const QUORUM = 'src/lib/server/access/policy/rules/quorum.ts';
const READERS = 'src/lib/server/access/approvals/readers.ts';
const STANDING = 'src/lib/server/access/approvals/standing.ts';
const VOTERS = 'src/lib/server/access/policy/rules/voters.ts';

export const policyControls: readonly Control[] = [
	{
		name: 'rules-asked',
		stops: 'What a rule denies goes out by another entrance than the pages.',
		file: RECORD_SPEND,
		text: 'if (verdict === null) return;',
		replacement: "if (verdict === null || !stands('rules-asked')) return;",
		attacks: ['bytes-that-a-rule-denies']
	},
	{
		name: 'windows-add-up',
		stops: 'Many small sends go below what a rule looks at.',
		file: DECIDE,
		text: 'const least = taken.least + used.total;',
		replacement: "const least = taken.least + (stands('windows-add-up') ? used.total : 0n);",
		attacks: ['small-sends-below-a-window']
	},
	{
		name: 'unsent-is-judged-anew',
		stops:
			'Bytes that a daemon did not take when a rule still let them out are sent under a stricter one.',
		file: GIVE_BACK,
		text: 'await (within ? run(within) : policies.transaction(run));',
		replacement:
			"if (stands('unsent-is-judged-anew')) await (within ? run(within) : policies.transaction(run));",
		attacks: ['bytes-judged-before-a-rule-came']
	},
	{
		name: 'each-send-gives-back-its-own',
		stops: 'Bytes that went out are counted no more once the same bytes are sent in vain.',
		file: 'src/lib/server/access/policy/rules/policies.ts',
		text: "claims: set('claims', '-', 1n)",
		replacement: "claims: set('claims', '-', stands('each-send-gives-back-its-own') ? 1n : 99n)",
		attacks: ['sent-bytes-that-are-given-back']
	},
	{
		name: 'enabled-approvers',
		stops: 'The approval of a member who was disabled since counts.',
		file: VOTERS,
		text: 'enabled: disabled_at === null && to_confirm === null',
		replacement:
			"enabled: (disabled_at === null && to_confirm === null) || !stands('enabled-approvers')",
		attacks: ['approval-of-a-disabled-member', 'change-approved-by-a-disabled-admin']
	},
	{
		name: 'authors-do-not-count',
		stops: 'Somebody approves what they asked for.',
		edits: [
			{
				file: DECISIONS,
				text: 'if (account === request.account) throw',
				replacement: "if (account === request.account && stands('authors-do-not-count')) throw"
			},
			{
				file: 'src/lib/server/access/proposals/proposals.ts',
				text: 'if (by.id === account) throw',
				replacement: "if (by.id === account && stands('authors-do-not-count')) throw"
			},
			{
				file: QUORUM,
				text: 'enabled && account !== author',
				replacement: "enabled && (account !== author || !stands('authors-do-not-count'))"
			}
		],
		attacks: ['approval-of-the-author', 'change-approved-by-its-author']
	},
	{
		name: 'sessions-of-members',
		stops: 'A script does what only a member does in a browser, such as approving.',
		edits: [
			{
				file: 'src/lib/server/access/policy/allow.ts',
				text: "? 'sign-in' : 'session-only'",
				replacement: "? 'sign-in' : stands('sessions-of-members') ? 'session-only' : 'allowed'"
			},
			{
				file: 'src/routes/requireMember.ts',
				text: "if (identity.via !== 'session') error(401",
				replacement:
					"if (identity.via === 'token' && !stands('sessions-of-members')) return { account: identity.account, session: { idHash: '' } };\n\tif (identity.via !== 'session') error(401"
			},
			{
				file: 'src/lib/server/access/credentials/openSession.ts',
				text: 'if (!(await isSessionOpen(trx, session))) throw',
				replacement:
					"if (stands('sessions-of-members') && !(await isSessionOpen(trx, session))) throw"
			}
		],
		attacks: ['approval-by-a-token']
	},
	{
		name: 'approvals-of-members',
		stops: 'The token of a script counts as the second member who approves an import.',
		file: 'src/lib/server/access/policy/allow.ts',
		text: "step === 'session-with-factor' ? 'session-only' : 'allowed'",
		replacement:
			"step === 'session-with-factor' && stands('approvals-of-members') ? 'session-only' : 'allowed'",
		attacks: ['import-approved-by-a-token']
	},
	{
		name: 'exact-bytes',
		stops: 'The approval of one transaction lets another one out.',
		edits: [
			{
				file: OPEN,
				text: "vouched(trx, 'open_key', keyOf(account, hash))",
				replacement:
					"stands('exact-bytes') ? vouched(trx, 'open_key', keyOf(account, hash)) : vouched(trx, 'account' as 'id', account)"
			},
			{
				file: APPROVALS,
				text: '|| request.hex !== hex)',
				replacement: "|| (request.hex !== hex && stands('exact-bytes')))"
			}
		],
		attacks: ['approval-of-other-bytes']
	},
	{
		name: 'recorded-approvals',
		stops: 'Who can write to the database approves what a rule keeps back.',
		file: APPROVALS,
		text: 'if (found?.isKnown !== true) return false;',
		replacement:
			"if (found === null || (!found.isKnown && stands('recorded-approvals'))) return false;",
		attacks: ['approval-written-into-the-database']
	},
	{
		name: 'one-vote-each',
		stops: 'One member approves as often as approvals are asked for.',
		edits: [
			{
				file: DECISIONS,
				text: 'account: by.id, name: by.name, at: clock() }',
				replacement:
					"account: stands('one-vote-each') ? by.id : `${by.id} ${crypto.randomUUID()}`, name: by.name, at: clock() }"
			},
			{
				file: STANDING,
				text: 'const voters = members.filter((member) => voted.has(member.account));',
				replacement:
					"const voters = stands('one-vote-each') ? members.filter((member) => voted.has(member.account)) : votes.flatMap((vote) => members.filter((member) => vote.account.startsWith(member.account)));"
			}
		],
		attacks: ['approval-twice-by-one-member']
	},
	{
		name: 'approvals-end',
		stops: 'An approval of long ago lets something out, or changes something.',
		edits: [
			{
				file: STANDING,
				text: 'Number(expires_at) <= now ?',
				replacement: "Number(expires_at) <= now && stands('approvals-end') ?"
			},
			{
				file: APPROVALS,
				text: 'if (expires_at <= BigInt(clock())) await',
				replacement: "if (expires_at <= BigInt(clock()) && stands('approvals-end')) await"
			},
			{
				file: 'src/lib/server/access/proposals/proposals.ts',
				text: 'const isOver = (row: Row): boolean => Number(row.expires_at) <= clock();',
				replacement:
					"const isOver = (row: Row): boolean => Number(row.expires_at) <= clock() && stands('approvals-end');"
			}
		],
		attacks: ['approval-after-its-time', 'change-approved-after-its-time']
	},
	{
		name: 'readers-of-requests',
		stops: 'Members whom a request does not concern read what others are about to send.',
		file: READERS,
		text: "if (role === 'admin') return eb.and([]);",
		replacement: "if (role === 'admin' || !stands('readers-of-requests')) return eb.and([]);",
		attacks: ['requests-of-others']
	},
	{
		name: 'open-requests-bounded',
		stops: 'One API token fills the lists of everyone who is asked.',
		file: 'src/lib/server/access/approvals/approvalRequester.ts',
		text: 'if (ofToken.length >= MOST_OPEN_OF_TOKEN) {',
		replacement: "if (ofToken.length >= MOST_OPEN_OF_TOKEN && stands('open-requests-bounded')) {",
		attacks: ['requests-without-end']
	},
	{
		name: 'roles-of-approvers',
		stops: 'The approval of a member who lost the role that was asked counts.',
		file: QUORUM,
		text: '|| roles.includes(role)',
		replacement: "|| roles.includes(role) || (roles.length > 0 && !stands('roles-of-approvers'))",
		attacks: ['approval-of-a-former-role']
	}
];
