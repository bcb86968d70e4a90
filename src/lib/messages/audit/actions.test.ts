import { expect, test } from 'vitest';
import { AUDIT_ACTION_WORDS, auditActionChoices } from './actions.ts';

test('every action can be chosen by a text of its own, in the order of the texts', () => {
	const choices = auditActionChoices('');
	expect(choices).toHaveLength(Object.keys(AUDIT_ACTION_WORDS).length);
	const texts = choices.map(([, text]) => text);
	expect(new Set(texts).size).toBe(texts.length);
	expect(texts).toEqual(texts.toSorted((a, b) => a.localeCompare(b, 'en')));
	expect(new Map(choices).get('migration.discarded')).toBe(
		'Discarded a migration (migration.discarded)'
	);
	expect(auditActionChoices('policy.changed')).toEqual(choices);
});

test('an action without a text of its own can be chosen once it is filtered by', () => {
	expect(new Map(auditActionChoices('rpc.getinfo')).get('rpc.getinfo')).toBe('Called getinfo');
	expect(auditActionChoices('constructor')).toContainEqual(['constructor', 'Constructor']);
});
