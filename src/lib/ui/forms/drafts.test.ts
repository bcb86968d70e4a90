import { expect, it } from 'vitest';
import { mayKeep } from './drafts.ts';

const text = { name: 'amount', type: 'text', autocomplete: 'off', isSecret: false };

it('keeps what is typed, chosen and ticked', () => {
	for (const type of ['text', 'textarea', 'select-one', 'checkbox', 'radio', 'number']) {
		expect(mayKeep({ ...text, type }), type).toBe(true);
	}
});

it('keeps what a form showed when it was made, as what is typed was meant for that', () => {
	expect(mayKeep({ ...text, type: 'hidden', name: 'shown.label' })).toBe(true);
});

it('keeps no password, no file, nothing hidden, and nothing that is marked as a secret', () => {
	for (const type of ['password', 'file', 'hidden', 'submit', 'url-of-tomorrow']) {
		expect(mayKeep({ ...text, type }), type).toBe(false);
	}
	for (const autocomplete of ['current-password', 'new-password', 'one-time-code', 'cc-number']) {
		expect(mayKeep({ ...text, autocomplete }), autocomplete).toBe(false);
	}
	expect(mayKeep({ ...text, isSecret: true })).toBe(false);
	expect(mayKeep({ ...text, name: '' })).toBe(false);
});
