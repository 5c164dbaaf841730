// The worker of Node: a worker thread.

import { parentPort } from 'node:worker_threads'

import { openAt } from '../platform/node.js'
import { serve } from './serve.js'

const take = serve((message, transfer) => parentPort.postMessage(message, transfer), { openAt })

parentPort.on('message', take)
