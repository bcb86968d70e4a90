import type { Target } from './target.ts';

/** What a reviewer calls it: the titles of SECURITY.md. */
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

/** What became of an attack. */
export interface Outcome {
	/** The attacker got what the control keeps, by one try at least. */
	succeeded: boolean;
	/** What was seen, for the reader of a failed test. */
	seen: string;
	/** How many ways were tried. */
	tries: number;
}

/** One attack: carried out over HTTP, it tells whether it succeeded. */
export interface Attack {
	/** As the controls name it. */
	name: string;
	class: AttackClass;
	run(target: Target): Promise<Outcome>;
}

export const outcome = (succeeded: boolean, seen: unknown, tries = 1): Outcome => ({
	succeeded,
	seen: (typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? '')).slice(0, 600),
	tries
});
