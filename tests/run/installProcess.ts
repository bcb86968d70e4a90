/** Installs missing requirements of the tests, in a separate process while the product is being built. */
import { lacking } from './needs.ts';

process.exitCode = lacking().length === 0 ? 0 : 1;
