/** Controls of the policies, and of the approvals that they ask for. */
import type { Control } from './control.ts';

const RIGHTS = 'src/lib/server/access/policy/limits/rights.ts';
const DECIDE = 'src/lib/server/access/policy/rules/decide.ts';
const VOTERS = 'src/lib/server/access/approvals/voters.ts';

export const policyControls: readonly Control[] = [
	{
		name: 'rules-asked',
		stops: 'What a rule denies goes out by another entrance than the pages.',
		edits: [
			{
				file: RIGHTS,
				text: 'if (verdict === null) return;',
				replacement: "if (verdict === null || !stands('rules-asked')) return;"
			}
		],
		attacks: ['bytes-that-a-rule-denies']
	},
	{
		name: 'windows-add-up',
		stops: 'Many small sends go below what a rule looks at.',
		edits: [
			{
				file: DECIDE,
				text: 'least: taken.least + used.total }',
				replacement: "least: taken.least + (stands('windows-add-up') ? used.total : 0n) }"
			}
		],
		attacks: ['small-sends-below-a-window']
	},
	{
		name: 'enabled-approvers',
		stops: 'The approval of a member who was disabled since counts.',
		edits: [
			{
				file: VOTERS,
				text: 'enabled: disabled_at === null && to_confirm === null',
				replacement:
					"enabled: (disabled_at === null && to_confirm === null) || !stands('enabled-approvers')"
			}
		],
		attacks: ['approval-of-a-disabled-member']
	}
];
