import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createCallerAddress } from './callerAddress.ts';

const from = (headers: IncomingMessage['headers']) =>
	({ headers, socket: { remoteAddress: '10.0.0.9' } }) as unknown as IncomingMessage;

it('takes the address of the connection where no proxy is configured, whatever the headers say', () => {
	const addressOf = createCallerAddress(null);
	expect(addressOf(from({ 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1' }))).toBe(
		'10.0.0.9'
	);
});

it('counts the addresses of a row of proxies from the right', () => {
	const one = createCallerAddress({ name: 'x-forwarded-for', depth: 1 });
	expect(one(from({ 'x-forwarded-for': '192.0.2.1, 198.51.100.7' }))).toBe('198.51.100.7');
	const two = createCallerAddress({ name: 'x-forwarded-for', depth: 2 });
	expect(two(from({ 'x-forwarded-for': 'forged, 192.0.2.1, 198.51.100.7' }))).toBe('192.0.2.1');
	expect(two(from({ 'x-forwarded-for': '198.51.100.7' }))).toBe('10.0.0.9');
});

it('takes another header whole, and the address of the connection where the proxy was passed by', () => {
	const addressOf = createCallerAddress({ name: 'x-real-ip', depth: 1 });
	expect(addressOf(from({ 'x-real-ip': '192.0.2.1' }))).toBe('192.0.2.1');
	expect(addressOf(from({ 'x-forwarded-for': '192.0.2.1' }))).toBe('10.0.0.9');
});

it('takes an address without the port that some proxies write behind it', () => {
	const forwarded = createCallerAddress({ name: 'x-forwarded-for', depth: 1 });
	expect(forwarded(from({ 'x-forwarded-for': 'forged, 192.0.2.1:50123' }))).toBe('192.0.2.1');
	expect(forwarded(from({ 'x-forwarded-for': '[2001:db8::1]:443' }))).toBe('2001:db8::1');
	expect(forwarded(from({ 'x-forwarded-for': '2001:db8::1' }))).toBe('2001:db8::1');
	const real = createCallerAddress({ name: 'x-real-ip', depth: 1 });
	expect(real(from({ 'x-real-ip': '[2001:db8::1]' }))).toBe('2001:db8::1');
	expect(real(from({ 'x-real-ip': 'unknown' }))).toBe('unknown');
});
