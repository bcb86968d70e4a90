/** Installs what the tests need and the machine lacks, as a process of its own: beside it the product is built. */
import { lacking } from './needs.ts';

process.exitCode = lacking().length === 0 ? 0 : 1;
