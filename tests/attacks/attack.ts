import type { Target } from './target.ts';

/** Classes as reviewers name them, which are the titles of SECURITY.md. */
export const ATTACK_CLASSES = [
	'brute force',
	'clickjacking',
	'CSRF',
	'CSV injection',
	'denial of service',
	'DNS rebinding',
	'double spend',
	'information disclosure',
	'loss of funds',
	'open redirect',
	'privilege escalation',
	'prototype pollution',
	'replay',
	'request smuggling',
	'response splitting',
	'session fixation',
	'session hijacking',
	'spending control bypass',
	'SSRF',
	'tampering',
	'XSS'
] as const;

export type AttackClass = (typeof ATTACK_CLASSES)[number];

/** The result of an attack. */
export interface Outcome {
	/** At least one attempt achieved what the control must prevent. */
	succeeded: boolean;
	/** Details for the reader of a failed test. */
	seen: string;
	/** Number of attempted ways. */
	tries: number;
}

/** One attack: it runs over HTTP and reports whether it succeeded. */
export interface Attack {
	/** The name that the controls use. */
	name: string;
	class: AttackClass;
	run(target: Target): Promise<Outcome>;
}

export const outcome = (succeeded: boolean, seen: unknown, tries = 1): Outcome => ({
	succeeded,
	seen: (typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? '')).slice(0, 600),
	tries
});
